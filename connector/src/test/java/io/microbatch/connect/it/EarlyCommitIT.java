package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.Await;
import io.microbatch.testbed.Broker;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.PluginArchive;
import io.microbatch.testbed.TestbedHome;
import io.microbatch.testbed.TopicReader;
import io.microbatch.testbed.WorkDirectory;
import io.microbatch.testbed.failpoint.Failpoint;
import io.microbatch.testbed.failpoint.FailpointAction;
import io.microbatch.testbed.failpoint.FailpointControl;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A race in the producer of Kafka 4.3.1. Its sender thread first looks whether a batch is in progress, and then chooses
 * a request. If the task sends and commits a transaction between the two, the sender ends the transaction before it
 * sends the records. With {@code transaction.version=2} the broker does not know that transaction, refuses the commit,
 * and the task fails. With {@code transaction.version=1} the producer first adds the partitions. Then it looks for
 * batches again, and waits for them.
 *
 * <p>When a version of Kafka has no such race, the test of level 2 fails. Then the integration tests no longer need
 * {@code testbed.transaction.version}.
 */
@Tag("long")
class EarlyCommitIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int EVENTS = 4_000;
    private static final int ATTEMPTS = 5;

    @Test
    void failsTheTaskWithTransactionVersion2OnlyAndLosesNoEvent() {
        TestbedHome home = TestbedHome.locate();
        try (WorkDirectory work = WorkDirectory.create("microbatch-early-commit");
                Broker broker = Broker.start(home, work.path())) {
            Path plugins = work.path().resolve("plugins");
            PluginArchive.unpack(Path.of(System.getProperty("plugin.archive")), plugins);
            FailpointControl failpoints = new FailpointControl(home, work.path().resolve("failpoints"));
            try (ConnectWorker worker = ConnectWorker.builder(home, work.path(), broker.bootstrapServers())
                    .exactlyOnce(true)
                    .pluginPath(plugins)
                    .property("offset.flush.interval.ms", "1000")
                    .jvmOption(failpoints.jvmOption())
                    .start()) {
                TopicReader topics = new TopicReader(broker.bootstrapServers());

                setTransactionVersion(broker, 1, UpgradeType.SAFE_DOWNGRADE);
                assertThat(commitEarly(worker, failpoints, "level1", work.path()))
                        .isEmpty();
                assertThat(checkAfterTheEnd(worker, topics, "level1")).isEqualTo(SyntheticCheck.CLEAN);

                setTransactionVersion(broker, 2, UpgradeType.UPGRADE);
                assertThat(commitEarly(worker, failpoints, "level2", work.path()))
                        .contains("InvalidTxnStateException");
                worker.rest().restartFailed("level2");
                assertThat(checkAfterTheEnd(worker, topics, "level2")).isEqualTo(SyntheticCheck.CLEAN);
            }
        }
    }

    /**
     * Delays the sender several times between its look and its choice. Returns the trace of the task, or nothing if it
     * runs.
     */
    private static String commitEarly(ConnectWorker worker, FailpointControl failpoints, String connector, Path work) {
        failpoints.arm(Failpoint.AFTER_TRANSACTION_COMMIT, FailpointAction.HANG, 1);
        worker.rest().create(connector, config(connector, work));
        assertThat(failpoints.awaitHit(PATIENCE)).as(worker.logTail()).isTrue();
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            // The sender may look once more after the records and before the commit. Then its choice is right.
            failpoints.arm(Failpoint.NO_BATCH_IN_PROGRESS, FailpointAction.HANG, 1);
            BooleanSupplier failed = () -> worker.rest().status(connector).hasFailed();
            Await.until(
                    "a look of the sender",
                    PATIENCE,
                    () -> failpoints.wasHit() || failed.getAsBoolean(),
                    worker::logTail);
            // A sender that has failed looks too. Then no commit waits for it, and the status follows.
            Await.until(
                    "a commit that waits for the sender",
                    PATIENCE,
                    () -> commits(worker, connector) || failed.getAsBoolean(),
                    () -> worker.jmx().diagnostic("threadPrint"));
            if (failed.getAsBoolean()) {
                break;
            }
        }
        failpoints.disarm();
        return worker.rest().status(connector).failure();
    }

    private static boolean commits(ConnectWorker worker, String connector) {
        String threads = worker.jmx().diagnostic("threadPrint");
        int task = threads.indexOf("\"task-thread-" + connector + "-0\"");
        return task >= 0
                && threads.substring(task, threads.indexOf("\n\n", task)).contains("KafkaProducer.commitTransaction");
    }

    private static void setTransactionVersion(Broker broker, int level, UpgradeType type) {
        Map<String, Object> client = Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers());
        try (Admin admin = Admin.create(client)) {
            FeatureUpdate update = new FeatureUpdate((short) level, type);
            admin.updateFeatures(Map.of("transaction.version", update), new UpdateFeaturesOptions())
                    .all()
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("cannot set transaction.version=" + level, e);
        }
    }

    private static Map<String, String> config(String topic, Path work) {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", Cluster.CONNECTOR);
        config.put("tasks.max", "1");
        config.put("upstream.type", "synthetic");
        config.put("upstream.synthetic.topic", topic);
        config.put("upstream.synthetic.partitions", "1");
        config.put("upstream.synthetic.events.per.partition", Integer.toString(EVENTS));
        config.put("upstream.synthetic.rate", "1000");
        config.put("upstream.synthetic.seed", "7");
        config.put("batch.mode", "fixed");
        config.put("batch.max.records", "20");
        config.put("batch.linger.ms", "100");
        config.put("calibration.directory", work.resolve("calibration").toString());
        for (String side : List.of("key", "value")) {
            config.put(side + ".converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        }
        return config;
    }

    private static SyntheticCheck checkAfterTheEnd(ConnectWorker worker, TopicReader topics, String topic) {
        Await.until(
                "the offset of the last event in " + topic,
                PATIENCE,
                () -> worker.rest().offsets(topic).findValuesAsText("events").contains(Integer.toString(EVENTS)),
                () -> worker.rest().status(topic).toString());
        worker.rest().stop(topic);
        worker.rest().awaitState(topic, "STOPPED");
        return SyntheticCheck.of(topics, topic, 7, 1, EVENTS);
    }
}
