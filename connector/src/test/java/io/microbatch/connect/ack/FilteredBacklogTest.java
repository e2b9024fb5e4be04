package io.microbatch.connect.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.Test;

class FilteredBacklogTest {

    private final FilteredBacklog backlog = new FilteredBacklog(1_000);

    /** The calls of an exactly-once worker for a batch whose events are all filtered. */
    private void filteredBatch(long bytes) {
        backlog.returned(10, bytes);
        backlog.committed();
    }

    @Test
    void failsAboveTheLimitAndNotAtIt() {
        filteredBatch(600);
        filteredBatch(400);
        assertThatCode(backlog::check).doesNotThrowAnyException();
        filteredBatch(1);
        assertThatThrownBy(backlog::check)
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("content: 30 events of about 1001 bytes")
                .hasMessageContaining("Nothing is lost")
                .hasMessageContaining("batch.max.filtered.bytes")
                .hasMessageContaining("Filter in the upstream");
    }

    @Test
    void countsOnlyTheEventsSinceTheLastAcknowledgement() {
        filteredBatch(600);
        backlog.acknowledged();
        filteredBatch(600);
        filteredBatch(600);
        assertThatThrownBy(backlog::check).hasMessageContaining("content: 20 events of about 1200 bytes");
    }

    @Test
    void countsFromTheLastTransactionWithContent() {
        filteredBatch(900);
        assertThat(backlog.keptBytes()).isEqualTo(900);
        backlog.returned(10, 900);
        // One event of the batch was sent. Its transaction frees all events, then the worker calls commit.
        backlog.acknowledged();
        backlog.committed();
        assertThat(backlog.keptBytes()).isZero();
        filteredBatch(1_000);
        assertThatCode(backlog::check).doesNotThrowAnyException();
    }

    @Test
    void doesNotCountEventsOfAnOpenTransaction() {
        // With transaction.boundary=interval there are many polls without a commit on the task thread.
        for (int i = 0; i < 100; i++) {
            backlog.returned(10, 900);
            assertThatCode(backlog::check).doesNotThrowAnyException();
        }
    }

    @Test
    void doesNotCountIdlePolls() {
        filteredBatch(900);
        for (int i = 0; i < 100; i++) {
            backlog.committed();
        }
        assertThat(backlog.keptBytes()).isEqualTo(900);
    }
}
