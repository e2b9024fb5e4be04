package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(Cluster.Shared.class)
class SyntheticIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int PARTITIONS = 3;
    private static final int EVENTS = 4_000;

    private final Cluster cluster;

    SyntheticIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void deliversEveryEventOnceAndInOrder(Mode mode) {
        String name = "synthetic-" + mode.suffix();
        cluster.rest(mode).create(name, config(name, "0"));
        cluster.worker(mode).awaitRunning(name, 2);

        awaitEvents(name, (long) PARTITIONS * EVENTS);

        assertThat(check(name)).isEqualTo(SyntheticCheck.CLEAN);
        cluster.rest(mode).delete(name);
    }

    private Map<String, String> config(String topic, String rate) {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", Cluster.CONNECTOR);
        config.put("tasks.max", "2");
        config.put("upstream.type", "synthetic");
        config.put("upstream.synthetic.topic", topic);
        config.put("upstream.synthetic.partitions", Integer.toString(PARTITIONS));
        config.put("upstream.synthetic.events.per.partition", Integer.toString(EVENTS));
        config.put("upstream.synthetic.rate", rate);
        config.put("upstream.synthetic.size.bytes", "40-200");
        config.put("upstream.synthetic.seed", "7");
        config.put("calibration.directory", cluster.calibrationDirectory().toString());
        config.put("value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        config.put("key.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        return config;
    }

    private void awaitEvents(String topic, long atLeast) {
        long[] seen = new long[1];
        Await.until(
                atLeast + " events in " + topic,
                PATIENCE,
                () -> {
                    seen[0] = count(topic);
                    return seen[0] >= atLeast;
                },
                () -> seen[0] + " seen");
    }

    private long count(String topic) {
        return cluster.reader().readCommitted(topic).size();
    }

    private SyntheticCheck check(String topic) {
        return SyntheticCheck.of(cluster.reader(), topic, 7, PARTITIONS, EVENTS);
    }
}
