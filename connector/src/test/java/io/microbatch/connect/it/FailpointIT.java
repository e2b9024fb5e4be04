package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.failpoint.Failpoint;
import io.microbatch.testbed.failpoint.FailpointAction;
import io.microbatch.testbed.failpoint.FailpointControl;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Failpoints in the packaged plugin in a real worker. The packaged plugin itself contains no failpoints. */
@Tag("long")
@ExtendWith(Cluster.Shared.class)
class FailpointIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int EVENTS = 2_000;

    private final Cluster cluster;

    FailpointIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void haltsTheWorkerAtTheCommitAndEveryEventIsDeliveredOnce() {
        FailpointControl failpoints = cluster.failpoints("halted");
        try (ConnectWorker worker = cluster.workerWith(failpoints, "halted")) {
            failpoints.arm(Failpoint.BEFORE_TRANSACTION_COMMIT, FailpointAction.HALT, 3);
            worker.rest().create("halted", config("halted"));
            cluster.awaitHalt(worker, failpoints);
            worker.restart();

            assertThat(checkAfterTheEnd(worker, "halted")).isEqualTo(SyntheticCheck.CLEAN);
        }
    }

    @Test
    void failsTheTaskWhenAFailpointThrows() {
        FailpointControl failpoints = cluster.failpoints("thrown");
        try (ConnectWorker worker = cluster.workerWith(failpoints, "thrown")) {
            failpoints.arm(Failpoint.NEXT_POLL_ENTRY, FailpointAction.THROW, 3);
            worker.rest().create("thrown", config("thrown"));
            assertThat(worker.rest().awaitTaskFailed("thrown")).contains("failpoint NEXT_POLL_ENTRY");

            failpoints.disarm();
            worker.rest().restartFailed("thrown");

            assertThat(checkAfterTheEnd(worker, "thrown")).isEqualTo(SyntheticCheck.CLEAN);
        }
    }

    @Test
    void detectsEachPlantedBug() {
        FailpointControl failpoints = cluster.failpoints("planted");
        try (ConnectWorker worker = cluster.workerWith(failpoints, "planted")) {
            assertThat(planted(worker, failpoints, FailpointAction.DROP)).isEqualTo(new SyntheticCheck(1, 0, 0, 0));
            assertThat(planted(worker, failpoints, FailpointAction.DUPLICATE))
                    .isEqualTo(new SyntheticCheck(0, 1, 0, 0));
            assertThat(planted(worker, failpoints, FailpointAction.SWAP)).isEqualTo(new SyntheticCheck(0, 0, 1, 0));
            // A record that cannot be decoded also counts as a lost event.
            assertThat(planted(worker, failpoints, FailpointAction.ALTER)).isEqualTo(new SyntheticCheck(1, 0, 0, 1));
        }
    }

    private SyntheticCheck planted(ConnectWorker worker, FailpointControl failpoints, FailpointAction bug) {
        String topic = "planted-" + bug.name().toLowerCase(Locale.ROOT);
        failpoints.arm(Failpoint.BEFORE_POLL_RETURNS, bug, 1);
        worker.rest().create(topic, config(topic));
        assertThat(failpoints.awaitHit(PATIENCE)).isTrue();
        return checkAfterTheEnd(worker, topic);
    }

    @Test
    void detectsADuplicatedTailAfterTheConnectorStops() {
        FailpointControl failpoints = cluster.failpoints("tail");
        try (ConnectWorker worker = cluster.workerWith(failpoints, "tail")) {
            worker.rest().create("tail", config("tail"));
            awaitEnd(worker, "tail");
            assertThat(check("tail")).as("every event is in the topic once").isEqualTo(SyntheticCheck.CLEAN);

            failpoints.arm(Failpoint.POLL_RETURNS, FailpointAction.REPEAT_LAST, 1);
            assertThat(failpoints.awaitHit(PATIENCE)).isTrue();

            assertThat(checkAfterTheEnd(worker, "tail")).isEqualTo(new SyntheticCheck(0, 1, 0, 0));
        }
    }

    @Test
    void doesNotPackFailpointsIntoTheArchive() throws IOException {
        try (ZipFile archive =
                new ZipFile(Path.of(System.getProperty("plugin.archive")).toFile())) {
            for (ZipEntry entry : archive.stream().toList()) {
                // The pages may name the testbed, the jars may not contain it.
                if (entry.getName().endsWith(".jar")) {
                    assertThat(entry.getName()).doesNotContain("byte-buddy", "testbed");
                    assertNoneIn(new ZipInputStream(archive.getInputStream(entry)));
                }
            }
        }
    }

    private static void assertNoneIn(ZipInputStream jar) throws IOException {
        try (jar) {
            for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
                assertThat(entry.getName().toLowerCase(Locale.ROOT))
                        .doesNotContain("failpoint", "bytebuddy", "io/microbatch/testbed");
            }
        }
    }

    private Map<String, String> config(String topic) {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", Cluster.CONNECTOR);
        config.put("tasks.max", "1");
        config.put("upstream.type", "synthetic");
        config.put("upstream.synthetic.topic", topic);
        config.put("upstream.synthetic.partitions", "1");
        config.put("upstream.synthetic.events.per.partition", Integer.toString(EVENTS));
        config.put("upstream.synthetic.rate", "1000");
        // Batches large enough for a planted bug, independent of the speed of the machine.
        config.put("batch.mode", "fixed");
        config.put("batch.max.records", "20");
        config.put("batch.linger.ms", "1000");
        config.put("upstream.synthetic.seed", "7");
        config.put("calibration.directory", cluster.calibrationDirectory().toString());
        for (String side : List.of("key", "value")) {
            config.put(side + ".converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        }
        return config;
    }

    /** Waits for the offset of the last event, which is committed with it, independent of the other events. */
    private static void awaitEnd(ConnectWorker worker, String topic) {
        Await.until(
                "the offset of the last event in " + topic,
                PATIENCE,
                () -> worker.rest().offsets(topic).findValuesAsText("events").contains(Integer.toString(EVENTS)),
                () -> worker.rest().offsets(topic) + ", " + worker.rest().status(topic));
    }

    private SyntheticCheck checkAfterTheEnd(ConnectWorker worker, String topic) {
        awaitEnd(worker, topic);
        worker.rest().stop(topic);
        worker.rest().awaitState(topic, "STOPPED");
        return check(topic);
    }

    private SyntheticCheck check(String topic) {
        return SyntheticCheck.of(cluster.reader(), topic, 7, 1, EVENTS);
    }
}
