package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.ConnectRestException;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Operations on a running connector over the REST API. Each event is delivered once. */
@ExtendWith(Cluster.Shared.class)
class LifecycleIT {

    private final ObjectMapper json = new ObjectMapper();
    private final Cluster cluster;

    LifecycleIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void resumesExactlyAfterPauseStopAndRestart(Mode mode) {
        SyntheticLoad load = new SyntheticLoad(cluster, "lifecycle-" + mode.suffix(), 2, 3_000);
        String name = load.name();
        ConnectRest rest = cluster.rest(mode);
        rest.create(name, load.config(1, 600));
        cluster.worker(mode).awaitRunning(name, 1);
        load.awaitEvents(300);

        rest.pause(name);
        rest.awaitState(name, "PAUSED");
        rest.resume(name);
        cluster.worker(mode).awaitRunning(name, 1);
        load.awaitEvents(Math.min(load.total(), load.count() + 300));

        rest.stop(name);
        rest.awaitState(name, "STOPPED");
        long stoppedAt = load.count();
        rest.resume(name);
        cluster.worker(mode).awaitRunning(name, 1);
        load.awaitEvents(Math.min(load.total(), stoppedAt + 300));

        rest.restart(name);
        cluster.worker(mode).awaitRunning(name, 1);
        load.awaitEvents(load.total());

        // A clean stop commits all acknowledged events, in both modes.
        assertThat(load.checkStopped(rest)).isEqualTo(SyntheticCheck.CLEAN);
        rest.delete(name);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void startsAtAlteredOffsetsAndAtTheBeginningAfterAReset(Mode mode) {
        SyntheticLoad load = new SyntheticLoad(cluster, "offsets-" + mode.suffix(), 1, 3_000);
        String name = load.name();
        ConnectRest rest = cluster.rest(mode);
        rest.create(name, load.config(1, 0));
        cluster.worker(mode).awaitRunning(name, 1);
        load.awaitEvents(load.total());
        stop(rest, name);
        assertThat(rest.offsets(name).at("/offsets/0/offset/events").asLong()).isEqualTo(load.total());

        rest.alterOffsets(name, offsets("events", load.total() - 10));
        rest.resume(name);
        load.awaitEvents(load.total() + 10);
        stop(rest, name);
        assertThat(load.check()).isEqualTo(new SyntheticCheck(0, 10, 0, 0));

        rest.resetOffsets(name);
        rest.resume(name);
        load.awaitEvents(2 * load.total() + 10);
        stop(rest, name);
        assertThat(load.check()).isEqualTo(new SyntheticCheck(0, 10 + load.total(), 0, 0));

        assertThatThrownBy(() -> rest.alterOffsets(name, offsets("position", 3)))
                .isInstanceOf(ConnectRestException.class)
                .hasMessageContaining("events");
        rest.delete(name);
    }

    private static void stop(ConnectRest rest, String name) {
        rest.stop(name);
        rest.awaitState(name, "STOPPED");
    }

    private ObjectNode offsets(String field, long value) {
        ObjectNode body = json.createObjectNode();
        ArrayNode entries = body.putArray("offsets");
        ObjectNode entry = entries.addObject();
        entry.putObject("partition").put("synthetic.partition", 0);
        entry.putObject("offset").put(field, value);
        return body;
    }
}
