package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.ConnectRestException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What operators do to a running connector, over the REST API, and that each event arrives once all the same. */
@ExtendWith(Cluster.Shared.class)
class LifecycleIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int PARTITIONS = 2;
    private static final int EVENTS = 3_000;

    private final ObjectMapper json = new ObjectMapper();
    private final Cluster cluster;

    LifecycleIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void resumesExactlyAfterPauseStopAndRestart(Mode mode) {
        String name = "lifecycle-" + mode.suffix();
        ConnectRest rest = cluster.rest(mode);
        rest.create(name, config(name, "600"));
        cluster.worker(mode).awaitRunning(name, 1);
        awaitEvents(name, 300);

        rest.pause(name);
        rest.awaitState(name, "PAUSED");
        rest.resume(name);
        cluster.worker(mode).awaitRunning(name, 1);
        awaitEvents(name, count(name) + 300);

        rest.stop(name);
        rest.awaitState(name, "STOPPED");
        long stoppedAt = count(name);
        rest.resume(name);
        cluster.worker(mode).awaitRunning(name, 1);
        awaitEvents(name, stoppedAt + 300);

        rest.restart(name);
        cluster.worker(mode).awaitRunning(name, 1);
        awaitEvents(name, (long) PARTITIONS * EVENTS);

        // A clean stop commits what was acknowledged, in either mode.
        assertThat(check(name)).isEqualTo(SyntheticCheck.CLEAN);
        rest.delete(name);
    }

    @Test
    void startsWhereTheOffsetsWereAlteredToAndFromTheBeginningAfterAReset() throws Exception {
        Mode mode = Mode.EXACTLY_ONCE;
        String name = "offsets";
        ConnectRest rest = cluster.rest(mode);
        Map<String, String> config = config(name, "0");
        config.put("upstream.synthetic.partitions", "1");
        rest.create(name, config);
        cluster.worker(mode).awaitRunning(name, 1);
        awaitEvents(name, EVENTS);
        rest.stop(name);
        rest.awaitState(name, "STOPPED");
        assertThat(rest.offsets(name).at("/offsets/0/offset/events").asLong()).isEqualTo(EVENTS);

        rest.alterOffsets(name, offsets("events", EVENTS - 10));
        rest.resume(name);
        awaitEvents(name, EVENTS + 10);
        rest.stop(name);
        rest.awaitState(name, "STOPPED");
        assertThat(SyntheticCheck.of(cluster.reader(), name, 7, 1, EVENTS)).isEqualTo(new SyntheticCheck(0, 10, 0, 0));

        rest.resetOffsets(name);
        rest.resume(name);
        awaitEvents(name, 2L * EVENTS + 10);
        rest.stop(name);
        rest.awaitState(name, "STOPPED");
        assertThat(SyntheticCheck.of(cluster.reader(), name, 7, 1, EVENTS))
                .isEqualTo(new SyntheticCheck(0, 10 + EVENTS, 0, 0));

        assertThatThrownBy(() -> rest.alterOffsets(name, offsets("position", 3)))
                .isInstanceOf(ConnectRestException.class)
                .hasMessageContaining("events");
        rest.delete(name);
    }

    private ObjectNode offsets(String field, long value) {
        ObjectNode body = json.createObjectNode();
        ArrayNode entries = body.putArray("offsets");
        ObjectNode entry = entries.addObject();
        entry.putObject("partition").put("synthetic.partition", 0);
        entry.putObject("offset").put(field, value);
        return body;
    }

    private Map<String, String> config(String topic, String rate) {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", Cluster.CONNECTOR);
        config.put("tasks.max", "1");
        config.put("upstream.type", "synthetic");
        config.put("upstream.synthetic.topic", topic);
        config.put("upstream.synthetic.partitions", Integer.toString(PARTITIONS));
        config.put("upstream.synthetic.events.per.partition", Integer.toString(EVENTS));
        config.put("upstream.synthetic.rate", rate);
        config.put("upstream.synthetic.seed", "7");
        config.put("calibration.directory", cluster.calibrationDirectory().toString());
        config.put("value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        config.put("key.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        return config;
    }

    private void awaitEvents(String topic, long atLeast) {
        Await.until(
                atLeast + " events in " + topic, PATIENCE, () -> count(topic) >= atLeast, () -> count(topic) + " seen");
    }

    private long count(String topic) {
        return cluster.reader().readCommitted(topic).size();
    }

    private SyntheticCheck check(String topic) {
        return SyntheticCheck.of(cluster.reader(), topic, 7, PARTITIONS, EVENTS);
    }
}
