package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.JmxReader;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Source offsets that come some time after the records of a batch. */
@ExtendWith(Cluster.Shared.class)
class OffsetDelayIT {

    private static final int DELAY_MS = 90;

    private final Cluster cluster;

    OffsetDelayIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void everyEventIsDeliveredOnceAndATransactionTakesTheDelay(Mode mode) {
        SyntheticLoad load = new SyntheticLoad(cluster, "offset-delay-" + mode.suffix(), 2, 500);
        Map<String, String> config = new HashMap<>(load.config(1, 500));
        config.put("batch.offset.delay.ms", Integer.toString(DELAY_MS));
        config.put("latency.target.ms", "500");
        cluster.rest(mode).create(load.name(), config);
        cluster.worker(mode).awaitRunning(load.name(), 1);
        load.awaitEvents(load.total());
        assertThat(figure(mode, load.name(), "offset-delay-ms")).isEqualTo(mode == Mode.EXACTLY_ONCE ? DELAY_MS : 0);
        if (mode == Mode.EXACTLY_ONCE) {
            assertThat(figure(mode, load.name(), "commit-time-minute-p50-ms")).isGreaterThanOrEqualTo(DELAY_MS);
        }
        assertThat(load.checkStopped(cluster.rest(mode))).isEqualTo(SyntheticCheck.CLEAN);
        cluster.rest(mode).delete(load.name());
    }

    private double figure(Mode mode, String connector, String name) {
        return cluster.worker(mode)
                .jmx()
                .number("kafka.connect:type=plugins,connector=" + JmxReader.tag(connector) + ",*", name)
                .orElseThrow();
    }
}
