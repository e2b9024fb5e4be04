package io.microbatch.bench.hosting;

import io.microbatch.bench.BenchHome;
import io.microbatch.bench.load.Delivery;
import io.microbatch.testbed.Broker;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.PluginArchive;
import io.microbatch.testbed.TestbedHome;
import io.microbatch.testbed.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/**
 * One broker, and one worker of the mode that is under test, which has a Connect cluster of its own. Used by one
 * thread.
 */
final class Stage implements Wave.Cluster, AutoCloseable {

    private static final long LIMIT_SECONDS = 30;

    private final TestbedHome home = TestbedHome.locate();
    private final Path work;
    private final Canary canary;
    private final Broker broker;
    private final Admin admin;
    private ConnectWorker worker;
    private String group;
    private int entered;

    /** Starts the broker. */
    Stage(Path work, Canary canary) {
        this.work = work;
        this.canary = canary;
        PluginArchive.unpack(BenchHome.archive(), work.resolve("plugins"));
        broker = Broker.start(
                home,
                work,
                Map.of(
                        "group.min.session.timeout.ms",
                        "1000",
                        // Records of every shape have timestamps of years ago, and must not be deleted for that.
                        "log.retention.ms",
                        "-1",
                        // Expired transactions are looked for this often; by default every 10 s.
                        "transaction.abort.timed.out.transaction.cleanup.interval.ms",
                        "500"));
        admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers()));
    }

    /** Starts a worker of a mode in place of the one that runs, alone in a new Connect cluster. */
    void enter(Delivery mode) {
        leave();
        group = "hosting-" + mode.text() + "-" + ++entered;
        worker = canary.known(ConnectWorker.builder(home, work, broker.bootstrapServers())
                        .name(group)
                        .exactlyOnce(mode == Delivery.EXACTLY_ONCE)
                        .pluginPath(work.resolve("plugins"), home.plugins(), home.hostedPlugins())
                        .property("group.id", group)
                        .property("config.storage.topic", configTopic())
                        .property("offset.storage.topic", group + "-offset")
                        .property("status.storage.topic", group + "-status")
                        .property("session.timeout.ms", "4000")
                        .property("heartbeat.interval.ms", "1000")
                        .property("rebalance.timeout.ms", "10000")
                        // How often Connect stores source offsets in at-least-once mode, and calls commit().
                        .property("offset.flush.interval.ms", "1000")
                        .property("task.shutdown.graceful.timeout.ms", "5000")
                        .jvmOption("-Xmx1g")
                        // Two cores for everything: what is killed often lives by how soon it starts.
                        .jvmOption("-XX:TieredStopAtLevel=1")
                        .jvmOption("-XX:+UseSerialGC"))
                .start();
    }

    /** Kills the worker and does not restart it. Some of its threads may never end. */
    void leave() {
        if (worker != null) {
            worker.kill();
            worker.close();
            worker = null;
        }
    }

    /** Where the worker that was started last keeps configurations. */
    String configTopic() {
        return group + "-config";
    }

    /** The version of a jar of the testbed's plugins, as its name says it. "unknown" if there is none. */
    String versionOf(String artifact) {
        Pattern name = Pattern.compile(artifact + "-(\\d[^/]*)\\.jar");
        try (Stream<Path> files = Files.walk(home.plugins())) {
            return files.map(file -> name.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(match -> match.group(1))
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String bootstrapServers() {
        return broker.bootstrapServers();
    }

    @Override
    public ConnectRest rest() {
        return worker.rest();
    }

    /** SIGKILL, and a start with the same identity. On a busy machine it may take a second one. */
    @Override
    public void killAndRestart() {
        worker.kill();
        try {
            worker.restart();
        } catch (IllegalStateException e) {
            worker.kill();
            worker.restart();
        }
    }

    @Override
    public void create(List<Member.Topic> topics) {
        new Topics(bootstrapServers())
                .create(topics.stream()
                        .map(topic -> Topics.topic(topic.name(), topic.partitions(), topic.keepsTimestamps()))
                        .toList());
    }

    @Override
    public long[] committed(List<List<Member.Topic>> groups) {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        groups.forEach(group -> partitions(group).forEach(partition -> asked.put(partition, OffsetSpec.latest())));
        try {
            Map<TopicPartition, ListOffsetsResultInfo> ends = admin.listOffsets(
                            asked, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                    .all()
                    .get(LIMIT_SECONDS, TimeUnit.SECONDS);
            return groups.stream()
                    .mapToLong(group -> partitions(group)
                            .mapToLong(partition -> ends.get(partition).offset())
                            .sum())
                    .toArray();
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the broker does not report the ends of its topics", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static Stream<TopicPartition> partitions(List<Member.Topic> topics) {
        return topics.stream()
                .flatMap(topic -> IntStream.range(0, topic.partitions())
                        .mapToObj(partition -> new TopicPartition(topic.name(), partition)));
    }

    @Override
    public void close() {
        leave();
        admin.close();
        broker.close();
    }
}
