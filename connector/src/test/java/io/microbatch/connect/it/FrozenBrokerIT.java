package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.Await;
import io.microbatch.testbed.Broker;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.JmxReader;
import io.microbatch.testbed.PluginArchive;
import io.microbatch.testbed.TestbedHome;
import io.microbatch.testbed.TopicReader;
import io.microbatch.testbed.WorkDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * The only broker is frozen under full load. The worker stays within its heap, and each event is delivered once. The
 * broker is frozen for 12 s, or for {@code -Dit.frozen.seconds}.
 */
@Tag("long")
class FrozenBrokerIT {

    private static final Duration FREEZE = Duration.ofSeconds(Integer.getInteger("it.frozen.seconds", 12));
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String NAME = "frozen";
    private static final int PARTITIONS = 4;
    private static final int EVENTS = 80_000;
    private static final long HEAP_MIB = 256;
    private static final long STRIPE_BYTES = 8L << 20;
    private static final int STRIPES = 2;

    @Test
    void staysWithinTheMemoryOfTheStripesAndLosesNoEvent(TestReporter reporter) {
        TestbedHome home = TestbedHome.locate();
        try (WorkDirectory work = WorkDirectory.create("microbatch-frozen");
                Broker broker = Broker.start(home, work.path())) {
            Path plugins = work.path().resolve("plugins");
            PluginArchive.unpack(Path.of(System.getProperty("plugin.archive")), plugins);
            try (ConnectWorker worker = ConnectWorker.builder(home, work.path(), broker.bootstrapServers())
                    .exactlyOnce(true)
                    .pluginPath(plugins)
                    .jvmOption("-Xmx" + HEAP_MIB + "m")
                    .start()) {
                TopicReader topic = new TopicReader(broker.bootstrapServers());
                worker.rest().create(NAME, config(work.path().resolve("calibration")));
                worker.awaitRunning(NAME, 1);
                awaitEvents(topic, PARTITIONS * EVENTS / 20);

                double fullBefore = task(worker, "stripe-full-total").orElse(0);
                broker.freeze();
                long mostBytes = 0;
                long mostHeap = 0;
                double full = fullBefore;
                long frozenNanos = System.nanoTime();
                try {
                    while (System.nanoTime() - frozenNanos < FREEZE.toNanos()) {
                        boolean ended = Await.reached(Duration.ofMillis(500), () -> !worker.isAlive());
                        assertThat(ended).as(worker.logTail()).isFalse();
                        mostBytes = Math.max(
                                mostBytes, (long) task(worker, "buffer-bytes").orElse(0));
                        full = Math.max(full, task(worker, "stripe-full-total").orElse(0));
                        mostHeap = Math.max(mostHeap, heap(worker));
                    }
                } finally {
                    broker.thaw();
                }
                long thawedNanos = System.nanoTime();
                awaitEvents(topic, PARTITIONS * EVENTS);
                Duration drained = Duration.ofNanos(System.nanoTime() - thawedNanos);

                reporter.publishEntry(Map.of(
                        "frozenSeconds", Long.toString(FREEZE.toSeconds()),
                        "mostBufferedBytes", Long.toString(mostBytes),
                        "mostHeapMiB", Long.toString(mostHeap >> 20),
                        "drainedMs", Long.toString(drained.toMillis())));
                assertThat(full).as("the stripes were full").isGreaterThan(fullBefore);
                // One event may exceed a stripe's limit. No event here is larger than 1 MiB.
                assertThat(mostBytes).isPositive().isLessThanOrEqualTo(STRIPES * (STRIPE_BYTES + (1L << 20)));
                assertThat(worker.logLines()).noneMatch(line -> line.contains("OutOfMemoryError"));
                assertThat(SyntheticCheck.of(topic, NAME, 7, PARTITIONS, EVENTS))
                        .isEqualTo(SyntheticCheck.CLEAN);
            }
        }
    }

    private static OptionalDouble task(ConnectWorker worker, String metric) {
        return worker.jmx().number("kafka.connect:type=plugins,connector=" + JmxReader.tag(NAME) + ",*", metric);
    }

    private static long heap(ConnectWorker worker) {
        return worker.jmx().attributes("java.lang:type=Memory", "HeapMemoryUsage").values().stream()
                .mapToLong(usage -> (Long) ((CompositeData) usage).get("used"))
                .findFirst()
                .orElse(0);
    }

    private static Map<String, String> config(Path calibration) {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", Cluster.CONNECTOR);
        config.put("tasks.max", "1");
        config.put("stripe.count", Integer.toString(STRIPES));
        config.put("stripe.max.bytes", Long.toString(STRIPE_BYTES));
        config.put("batch.max.bytes", Long.toString(4L << 20));
        config.put("upstream.type", "synthetic");
        config.put("upstream.synthetic.topic", NAME);
        config.put("upstream.synthetic.partitions", Integer.toString(PARTITIONS));
        config.put("upstream.synthetic.events.per.partition", Integer.toString(EVENTS));
        // Outlasts a slow start, and fills the stripes within two seconds.
        config.put("upstream.synthetic.rate", "20000");
        config.put("upstream.synthetic.size.bytes", "100-300");
        config.put("upstream.synthetic.seed", "7");
        config.put("calibration.directory", calibration.toString());
        config.put("value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        config.put("key.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        // A transaction that times out while the broker is frozen fails the task, which then needs a restart.
        config.put(
                "producer.override.transaction.timeout.ms",
                Long.toString(FREEZE.plusMinutes(2).toMillis()));
        return config;
    }

    private static void awaitEvents(TopicReader topic, long atLeast) {
        long[] seen = new long[1];
        Await.until(
                atLeast + " events",
                PATIENCE,
                () -> {
                    seen[0] = 0;
                    topic.readCommitted(NAME, record -> seen[0]++);
                    return seen[0] >= atLeast;
                },
                () -> seen[0] + " seen");
    }
}
