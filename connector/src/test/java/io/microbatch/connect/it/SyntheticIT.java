package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The generator at full speed, with two tasks. */
@ExtendWith(Cluster.Shared.class)
class SyntheticIT {

    private final Cluster cluster;

    SyntheticIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void deliversEveryEventOnceAndInOrder(Mode mode) {
        SyntheticLoad load = new SyntheticLoad(cluster, "synthetic-" + mode.suffix(), 3, 4_000);
        cluster.rest(mode).create(load.name(), load.config(2, 0));
        cluster.worker(mode).awaitRunning(load.name(), 2);

        load.awaitEvents(load.total());

        assertThat(load.checkStopped(cluster.rest(mode))).isEqualTo(SyntheticCheck.CLEAN);
        cluster.rest(mode).delete(load.name());
    }
}
