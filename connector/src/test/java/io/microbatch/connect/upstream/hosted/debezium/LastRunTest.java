package io.microbatch.connect.upstream.hosted.debezium;

import static io.microbatch.connect.upstream.hosted.debezium.ChangeEvents.change;
import static io.microbatch.connect.upstream.hosted.debezium.ChangeEvents.tombstone;
import static io.microbatch.connect.upstream.hosted.debezium.ChangeEvents.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.debezium.connector.common.BaseSourceTask;
import io.debezium.connector.postgresql.PostgresConnectorTask;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;
import org.junit.jupiter.api.Test;

class LastRunTest {

    private static final String NEW_KEY = "__debezium.newkey";
    private static final String OLD_KEY = "__debezium.oldkey";
    private static final long SECOND_NANOS = 1_000_000_000;

    private long nowNanos;

    private LastRun of(Class<?> task, Map<String, String> settings) {
        return LastRun.of(task, settings, () -> nowNanos);
    }

    private LastRun postgres() {
        return of(PostgresConnectorTask.class, Map.of());
    }

    @Test
    void waitsForTheTombstoneOfADeleteAcrossEmptyPolls() {
        LastRun run = postgres();
        assertThat(run.mayContinueAfter(change("d", 1))).isTrue();
        nowNanos = SECOND_NANOS - 1;
        assertThat(run.endsWithEmptyPoll()).isFalse();
        assertThat(run.mayContinueAfter(tombstone(1))).isFalse();
    }

    @Test
    void waitsLongerForMoreRowsOfACopyThanForASecondOne() {
        LastRun run = postgres();
        assertThat(run.mayContinueAfter(change("c", 1))).isTrue();
        assertThat(run.endsWithEmptyPoll()).as("mostly it was an insert").isTrue();
        assertThat(run.mayContinueAfter(change("c", 2))).isTrue();
        assertThat(run.mayContinueAfter(change("c", 2))).isTrue();
        nowNanos = SECOND_NANOS / 4 - 1;
        assertThat(run.endsWithEmptyPoll()).isFalse();
        nowNanos = SECOND_NANOS / 4;
        assertThat(run.endsWithEmptyPoll()).isTrue();
        assertThat(run.mayContinueAfter(List.of(change("c", 3), change("c", 3))))
                .isTrue();
        assertThat(run.endsWithEmptyPoll()).as("of one poll").isFalse();
        assertThat(run.mayContinueAfter(List.of(change("c", 3), change("c", 4))))
                .isTrue();
        assertThat(run.endsWithEmptyPoll()).isTrue();
    }

    @Test
    void stopsWaitingForATombstoneThatWasRemoved() {
        LastRun run = postgres();
        assertThat(run.mayContinueAfter(change("d", 1))).isTrue();
        nowNanos = SECOND_NANOS;
        assertThat(run.endsWithEmptyPoll()).isTrue();
    }

    @Test
    void waitsForNoTombstoneIfTheyAreDisabled() {
        LastRun run = of(PostgresConnectorTask.class, Map.of("tombstones.on.delete", "false"));
        assertThat(run.mayContinueAfter(change("d", 1))).isFalse();
        assertThat(run.mayContinueAfter(with(NEW_KEY, change("d", 2))))
                .as("but for the row under its new key")
                .isTrue();
        assertThat(run.endsWithEmptyPoll()).isFalse();
    }

    @Test
    void waitsForAllThreeEventsOfAChangedPrimaryKey() {
        LastRun run = postgres();
        for (SourceRecord part : List.of(with(NEW_KEY, change("d", 1)), with(NEW_KEY, tombstone(1)))) {
            assertThat(run.mayContinueAfter(part)).isTrue();
            assertThat(run.endsWithEmptyPoll()).isFalse();
        }
        assertThat(run.mayContinueAfter(with(OLD_KEY, change("c", 1)))).isFalse();
    }

    @Test
    void waitsForOnePollForFurtherInsertedRowsOrTruncatedTables() {
        LastRun run = postgres();
        int lsn = 0;
        for (String operation : List.of("c", "t")) {
            assertThat(run.mayContinueAfter(change(operation, ++lsn))).isTrue();
            assertThat(run.endsWithEmptyPoll()).isTrue();
        }
    }

    @Test
    void doesNotHoldEventsThatAreAloneAtTheirPositionInPostgres() {
        LastRun run = postgres();
        for (String operation : List.of("u", "m", "r")) {
            assertThat(run.mayContinueAfter(change(operation, 1))).as(operation).isFalse();
        }
    }

    @Test
    void holdsMoreEventsOfOtherDatabases() {
        LastRun run = of(BaseSourceTask.class, Map.of());
        assertThat(run.mayContinueAfter(change("r", 1))).isFalse();
        for (SourceRecord last : List.of(change("u", 1), tombstone(1), with(OLD_KEY, change("c", 1)))) {
            assertThat(run.mayContinueAfter(last)).isTrue();
            assertThat(run.endsWithEmptyPoll()).isTrue();
        }
        assertThat(run.mayContinueAfter(change("d", 1))).isTrue();
        assertThat(run.endsWithEmptyPoll()).isFalse();
    }

    @Test
    void treatsPollsOfOtherConnectorsAsComplete() {
        LastRun run = of(SourceTask.class, Map.of());
        assertThat(run.mayContinueAfter(change("d", 1))).isFalse();
        assertThat(run.mayContinueAfter(new SourceRecord(null, null, "t", null, "text")))
                .isFalse();
        assertThat(LastRun.endsWithThePoll().mayContinueAfter(change("d", 1))).isFalse();
    }
}
