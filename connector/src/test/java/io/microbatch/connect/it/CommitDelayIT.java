package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.JmxReader;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commits that come some time after the last record of a batch. */
@ExtendWith(Cluster.Shared.class)
class CommitDelayIT {

    private static final int DELAY_MS = 90;

    private final Cluster cluster;

    CommitDelayIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void everyEventIsDeliveredOnceAndATransactionTakesTheDelay(Mode mode) {
        SyntheticLoad load = new SyntheticLoad(cluster, "delay-" + mode.suffix(), 2, 500);
        Map<String, String> config = new HashMap<>(load.config(1, 500));
        config.put("batch.commit.delay.ms", Integer.toString(DELAY_MS));
        config.put("latency.target.ms", "500");
        cluster.rest(mode).create(load.name(), config);
        cluster.worker(mode).awaitRunning(load.name(), 1);
        load.awaitEvents(load.total());
        if (mode == Mode.EXACTLY_ONCE) {
            double commitMs = cluster.worker(mode)
                    .jmx()
                    .number(
                            "kafka.connect:type=plugins,connector=" + JmxReader.tag(load.name()) + ",*",
                            "commit-time-ms")
                    .orElseThrow();
            assertThat(commitMs).isGreaterThanOrEqualTo(DELAY_MS);
        }
        assertThat(load.checkStopped(cluster.rest(mode))).isEqualTo(SyntheticCheck.CLEAN);
        cluster.rest(mode).delete(load.name());
    }
}
