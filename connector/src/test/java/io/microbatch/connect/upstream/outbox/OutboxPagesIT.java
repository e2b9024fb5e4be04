package io.microbatch.connect.upstream.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.upstream.synthetic.StoredOffsets;
import io.microbatch.testbed.PostgresServer;
import io.microbatch.testbed.WorkDirectory;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.storage.OffsetStorageReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pages of several shards. */
@Timeout(180)
class OutboxPagesIT {

    private static WorkDirectory work;
    private static PostgresServer postgres;

    private final Map<Map<String, ?>, Map<String, Object>> committed = new HashMap<>();

    @BeforeAll
    static void start() {
        work = WorkDirectory.create("outbox-pages");
        postgres = PostgresServer.start(work.path());
    }

    @AfterAll
    static void stop() {
        postgres.close();
        work.close();
    }

    /** Throws at the second question, as a store does that is not ready. */
    private static final class LateOffsets implements OffsetStorageReader {

        private final StoredOffsets offsets = new StoredOffsets(new HashMap<>());
        private int questions;

        @Override
        public <T> Map<String, Object> offset(Map<String, T> partition) {
            questions++;
            if (questions == 2) {
                throw new RetriableException("not yet");
            }
            return offsets.offset(partition);
        }

        @Override
        public <T> Map<Map<String, T>, Map<String, Object>> offsets(Collection<Map<String, T>> partitions) {
            return offsets.offsets(partitions);
        }
    }

    @Test
    void readsEveryShardAfterAStartThatFailedBetweenTheirOffsets() throws InterruptedException {
        postgres.execute(
                RunningReader.create("sharded", "text"),
                "INSERT INTO sharded (aggregateid, payload) SELECT i, i FROM generate_series(1, 60) i");
        Map<String, String> config =
                RunningReader.config(postgres, postgres.jdbcUrl(), "sharded", Map.of("shards", "3"));
        try (RunningReader reader = new RunningReader(config, committed, new LateOffsets())) {
            assertThatThrownBy(reader::start).isInstanceOf(RetriableException.class);
            reader.stop();
            reader.start().fetchEvents(60);
            assertThat(reader.seen().stream().map(EventRecord::sourcePartition).distinct())
                    .hasSize(3);
        }
    }
}
