package io.microbatch.connect.upstream.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import io.debezium.connector.postgresql.PostgresConnectorTask;
import io.microbatch.connect.ack.KeptPart;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;
import org.junit.jupiter.api.Test;

class HostedHabitsTest {

    /** A task without acknowledgement methods. */
    private static class SilentTask extends SourceTask {
        @Override
        public String version() {
            return "1";
        }

        @Override
        public void start(Map<String, String> properties) {
            // Nothing to open.
        }

        @Override
        public List<SourceRecord> poll() {
            return null;
        }

        @Override
        public void stop() {
            // Nothing to close.
        }
    }

    private static class CommittingTask extends SilentTask {
        @Override
        public void commit() {
            // Acknowledges.
        }
    }

    private static class RecordTask extends SilentTask {
        @Override
        public void commitRecord(SourceRecord record, RecordMetadata metadata) {
            // Acknowledges.
        }
    }

    private static final class DerivedTask extends CommittingTask {}

    /** Compiled against an older Connect interface that still called this method. */
    private static final class OlderTask extends SilentTask {
        @SuppressWarnings("unused")
        public void commitRecord(SourceRecord record) {
            // Acknowledges.
        }
    }

    @Test
    void expectsNothingOfATaskWithoutHooks() {
        assertThat(HostedHabits.traits(SilentTask.class, false)).isEmpty();
        assertThat(HostedHabits.wantsRecords(SilentTask.class)).isFalse();
    }

    @Test
    void treatsAnOverriddenCommitAsAnAcknowledgement() {
        for (Class<?> taskClass : List.of(CommittingTask.class, DerivedTask.class)) {
            assertThat(HostedHabits.traits(taskClass, false))
                    .containsOnly(TaskTrait.ACKNOWLEDGES_ON_COMMIT, TaskTrait.WAITS_FOR_NOTIFICATION);
        }
        assertThat(HostedHabits.wantsRecords(DerivedTask.class)).isFalse();
    }

    /** It overrides both methods, and acknowledges what Connect has stored. */
    @Test
    void expectsNeitherOfDebezium() {
        assertThat(HostedHabits.traits(PostgresConnectorTask.class, false)).isEmpty();
    }

    @Test
    void knowsATaskThatDefinesItsTransactions() {
        assertThat(HostedHabits.traits(SilentTask.class, true)).containsOnly(TaskTrait.DEFINES_TRANSACTIONS);
    }

    @Test
    void keepsOnlyThePlaceIfTheTaskDoesNotLookAtRecords() {
        assertThat(HostedHabits.keptPart(RecordTask.class)).isEqualTo(KeptPart.ORIGIN);
        assertThat(HostedHabits.keptPart(SilentTask.class)).isEqualTo(KeptPart.PLACE);
        // Its commitRecord does nothing.
        assertThat(HostedHabits.wantsRecords(PostgresConnectorTask.class)).isTrue();
        assertThat(HostedHabits.keptPart(PostgresConnectorTask.class)).isEqualTo(KeptPart.PLACE);
    }

    @Test
    void spacesTheCommitsOfATaskThatReadsTheStoredOffset() {
        assertThat(HostedHabits.commitSpacingNanos(PostgresConnectorTask.class)).isEqualTo(1_000_000_000);
        assertThat(HostedHabits.commitSpacingNanos(CommittingTask.class)).isZero();
    }

    @Test
    void keepsOriginalRecordsIfTheTaskReadsThem() {
        assertThat(HostedHabits.traits(RecordTask.class, false)).containsOnly(TaskTrait.WAITS_FOR_NOTIFICATION);
        assertThat(HostedHabits.wantsRecords(RecordTask.class)).isTrue();
        assertThat(HostedHabits.wantsRecords(OlderTask.class)).isTrue();
    }
}
