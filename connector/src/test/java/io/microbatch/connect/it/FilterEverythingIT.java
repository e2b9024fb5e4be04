package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.JmxReader;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A transform that filters every event: under exactly-once the memory for filtered events is limited. */
@ExtendWith(Cluster.Shared.class)
class FilterEverythingIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int EVENTS = 100_000;

    private final Cluster cluster;

    FilterEverythingIT(Cluster cluster) {
        this.cluster = cluster;
    }

    private Map<String, String> config(String topic) {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", Cluster.CONNECTOR);
        config.put("tasks.max", "1");
        config.put("upstream.type", "synthetic");
        config.put("upstream.synthetic.topic", topic);
        config.put("upstream.synthetic.partitions", "1");
        config.put("upstream.synthetic.events.per.partition", Integer.toString(EVENTS));
        config.put("upstream.synthetic.rate", "0");
        config.put("upstream.synthetic.seed", "7");
        config.put("batch.max.filtered.bytes", "4194304");
        config.put("calibration.directory", cluster.calibrationDirectory().toString());
        config.put("value.converter", Lines.BYTES);
        config.put("key.converter", Lines.BYTES);
        return config;
    }

    private Map<String, String> filtering(String topic) {
        Map<String, String> config = config(topic);
        config.put("transforms", "drop");
        config.put("transforms.drop.type", "org.apache.kafka.connect.transforms.Filter");
        return config;
    }

    private double metric(Mode mode, String name, String metric) {
        String pattern = "kafka.connect:type=plugins,connector=" + JmxReader.tag(name) + ",*";
        return cluster.worker(mode).jmx().number(pattern, metric).orElse(-1);
    }

    @Test
    void failsAtTheLimitUnderExactlyOnceAndLosesNothing() {
        String name = "filtered-exactly-once";
        ConnectRest rest = cluster.rest(Mode.EXACTLY_ONCE);
        rest.create(name, filtering(name));
        assertThat(rest.awaitTaskFailed(name))
                .contains("batch.max.filtered.bytes")
                .contains("Nothing is lost");

        rest.put(name, config(name));
        Await.until(
                "every event",
                PATIENCE,
                () -> cluster.reader().readCommitted(name).size() >= EVENTS,
                () -> rest.status(name).toString());
        assertThat(SyntheticCheck.of(cluster.reader(), name, 7, 1, EVENTS)).isEqualTo(SyntheticCheck.CLEAN);
        rest.delete(name);
    }

    @Test
    void keepsNothingInAtLeastOnceMode() {
        String name = "filtered-at-least-once";
        ConnectRest rest = cluster.rest(Mode.AT_LEAST_ONCE);
        rest.create(name, filtering(name));
        Await.until(
                "every event skipped",
                PATIENCE,
                () -> metric(Mode.AT_LEAST_ONCE, name, "skipped-total") == EVENTS,
                () -> rest.status(name).toString());
        assertThat(rest.status(name).isRunningWith(1)).isTrue();
        assertThat(metric(Mode.AT_LEAST_ONCE, name, "filtered-kept-bytes")).isZero();
        rest.delete(name);
    }
}
