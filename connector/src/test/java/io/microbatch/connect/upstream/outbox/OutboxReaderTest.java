package io.microbatch.connect.upstream.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.upstream.UpstreamReader;
import io.microbatch.connect.upstream.synthetic.StoredOffsets;
import io.microbatch.testbed.Await;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A reader whose database nobody has started. */
class OutboxReaderTest {

    private final UpstreamReader reader = OutboxUpstream.reader(
            Map.of(
                    "name", "nowhere",
                    "upstream.type", "outbox",
                    // Nobody listens at this port.
                    "upstream.outbox.jdbc.url", "jdbc:postgresql://127.0.0.1:1/none",
                    "upstream.outbox.user", "nobody",
                    "upstream.outbox.password", "hunter2",
                    "upstream.outbox.task.first", "0",
                    "upstream.outbox.task.step", "1"),
            new StoredOffsets(new HashMap<>()),
            System::nanoTime);

    /** A start is tried for two minutes only, and a task that has failed stays so when the database is back. */
    @Test
    void startsWithoutItsDatabase() {
        reader.start();
        assertThat(reader.connected()).isZero();
        reader.stop();
    }

    /** A reader that has failed is stopped at once, and its task when somebody restarts it. */
    @Test
    void leavesNoThreadWhereItsTaskIsStoppedAfterIt() {
        reader.start();
        reader.stop();
        reader.stopping();
        Await.until(
                "no thread that cancels",
                Duration.ofSeconds(30),
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().contains("nowhere")),
                () -> Thread.getAllStackTraces().keySet().toString());
    }
}
