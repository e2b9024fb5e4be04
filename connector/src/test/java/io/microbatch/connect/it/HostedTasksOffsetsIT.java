package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.ConnectRestException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The offsets of a hosted connector with several tasks over the REST API: listed, altered, refused and reset. */
@ExtendWith(Cluster.Shared.class)
class HostedTasksOffsetsIT {

    private static final int SEQUENCES = 5;
    private static final int TASKS = 3;
    private static final int EVENTS = 40;

    private final ObjectMapper json = new ObjectMapper();
    private final Cluster cluster;

    HostedTasksOffsetsIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void coverAllTasksAndReadingContinuesAtAlteredOffsets(Mode mode) {
        PartitionedLoad load = new PartitionedLoad(cluster, mode, "tasks-offsets");
        String name = load.name();
        ConnectRest rest = cluster.rest(mode);
        load.write(SEQUENCES, EVENTS);
        rest.create(name, load.config(TASKS));
        cluster.worker(mode).awaitRunning(name, TASKS);
        load.awaitAll();
        stop(rest, name);
        assertThat(positions(rest, name)).isEqualTo(allAt(EVENTS));

        // Sequence 1 continues at position 30, sequence 4 at the beginning, the others where they are.
        ObjectNode altered = json.createObjectNode();
        put(altered, 1, 30L);
        put(altered, 4, null);
        rest.alterOffsets(name, altered);
        Map<Integer, Long> expected = allAt(EVENTS);
        expected.put(1, 30L);
        expected.remove(4);
        assertThat(positions(rest, name)).isEqualTo(expected);
        assertThat(load.journal()).contains("connector altered 2 offsets");

        int repeated = EVENTS - 30 + EVENTS;
        load.write(SEQUENCES, 5);
        resume(mode, name, load, SEQUENCES * (EVENTS + 5) + repeated);
        stop(rest, name);
        assertThat(load.check()).isEqualTo(new SequenceCheck(0, repeated, 0, 0));
        assertThat(load.texts().subList(SEQUENCES * EVENTS, load.texts().size()))
                .as("events read from the altered positions")
                .contains(PartitionedLoad.text(1, 30), PartitionedLoad.text(4, 0))
                .doesNotContain(PartitionedLoad.text(1, 29), PartitionedLoad.text(0, EVENTS - 1));

        rest.resetOffsets(name);
        assertThat(positions(rest, name)).isEmpty();
        assertThat(load.journal()).contains("connector altered 5 offsets");
        int all = SEQUENCES * (EVENTS + 5);
        resume(mode, name, load, all + repeated + all);
        stop(rest, name);
        assertThat(load.check()).isEqualTo(new SequenceCheck(0, repeated + all, 0, 0));
        assertThat(positions(rest, name)).isEqualTo(allAt(EVENTS + 5));
        rest.delete(name);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void areUnchangedWhenTheHostedConnectorRefusesAnAlteration(Mode mode) {
        PartitionedLoad load = new PartitionedLoad(cluster, mode, "tasks-refused");
        String name = load.name();
        ConnectRest rest = cluster.rest(mode);
        load.write(SEQUENCES, EVENTS);
        rest.create(name, load.config(TASKS));
        cluster.worker(mode).awaitRunning(name, TASKS);
        load.awaitAll();
        stop(rest, name);

        assertRefused(rest, name, 3, (long) EVENTS + 1, "Sequence 3 has no position " + (EVENTS + 1));
        assertRefused(rest, name, SEQUENCES, 0L, "There is no sequence " + SEQUENCES);
        assertThat(positions(rest, name)).isEqualTo(allAt(EVENTS));

        load.write(SEQUENCES, 5);
        resume(mode, name, load, SEQUENCES * (EVENTS + 5));
        stop(rest, name);
        assertThat(load.check()).isEqualTo(SequenceCheck.CLEAN);
        rest.delete(name);
    }

    /** The request also contains a valid offset, which must not be applied either. */
    private void assertRefused(ConnectRest rest, String name, int sequence, Long position, String message) {
        ObjectNode body = json.createObjectNode();
        put(body, 0, 0L);
        put(body, sequence, position);
        assertThatThrownBy(() -> rest.alterOffsets(name, body))
                .isInstanceOf(ConnectRestException.class)
                .hasMessageContaining(message);
    }

    private void resume(Mode mode, String name, PartitionedLoad load, int records) {
        cluster.rest(mode).resume(name);
        cluster.worker(mode).awaitRunning(name, TASKS);
        load.awaitRecords(records);
    }

    /** The positions that are set. The worker may still list a partition whose offset it has just deleted. */
    private static Map<Integer, Long> positions(ConnectRest rest, String name) {
        Map<Integer, Long> positions = new TreeMap<>();
        rest.offsets(name).path("offsets").forEach(entry -> {
            if (entry.path("offset").isObject()) {
                positions.put(
                        entry.at("/partition/sequence").asInt(),
                        entry.at("/offset/position").asLong());
            }
        });
        return positions;
    }

    private static Map<Integer, Long> allAt(long position) {
        Map<Integer, Long> positions = new TreeMap<>();
        for (int sequence = 0; sequence < SEQUENCES; sequence++) {
            positions.put(sequence, position);
        }
        return positions;
    }

    private static void put(ObjectNode body, int sequence, Long position) {
        ObjectNode entry = body.withArray("offsets").addObject();
        entry.putObject("partition").put("sequence", sequence);
        if (position == null) {
            entry.putNull("offset");
        } else {
            entry.putObject("offset").put("position", position);
        }
    }

    private static void stop(ConnectRest rest, String name) {
        rest.stop(name);
        rest.awaitState(name, "STOPPED");
    }
}
