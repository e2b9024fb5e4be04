package io.microbatch.connect.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.testbed.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.connect.health.ConnectClusterState;
import org.apache.kafka.connect.health.ConnectorHealth;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the console does while the worker's herder does not answer. {@code ConsoleIT} has real workers. */
class ConsoleTest {

    private static final Caller CALLER = new Caller(null, false);

    private static final Console.Query QUERY = new Console.Query(true, false, Double.NaN, true);

    private final CountDownLatch ended = new CountDownLatch(1);

    /** A herder that is busy, as during a rebalance, until the test ends. */
    private final ConnectClusterState hanging = new ConnectClusterState() {
        @Override
        public Collection<String> connectors() {
            try {
                ended.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return List.of();
        }

        @Override
        public ConnectorHealth connectorHealth(String connector) {
            throw new IllegalStateException("no connector");
        }
    };

    @AfterEach
    void end() {
        ended.countDown();
    }

    @Test
    void givesUpOnAHerderThatDoesNotAnswer() {
        try (Console console = new Console(hanging, new WorkerProperties(Map.of()))) {
            assertThatThrownBy(() -> console.answer(QUERY, CALLER))
                    .isInstanceOf(Console.BusyException.class)
                    .hasMessageContaining("does not answer");
        }
    }

    /** Another worker may refuse one caller and not the other. */
    @Test
    void givesNobodyTheAnswerOfAnotherCaller() throws Console.BusyException, InterruptedException {
        ended.countDown();
        try (Console console = new Console(hanging, new WorkerProperties(Map.of()))) {
            assertThat(console.answer(QUERY, new Caller("Basic a", false)))
                    .isNotSameAs(console.answer(QUERY, new Caller("Basic b", false)));
        }
    }

    /** An answer may have megabytes, and its question the caller's credentials. */
    @Test
    void keepsNoAnswerThatIsNotFresh() throws Console.BusyException, InterruptedException {
        ended.countDown();
        AtomicLong nanos = new AtomicLong();
        try (Console console = new Console(hanging, new WorkerProperties(Map.of()), nanos::get)) {
            byte[] first = console.answer(QUERY, new Caller("Basic a", false));
            nanos.set(TimeUnit.MILLISECONDS.toNanos(999));
            assertThat(console.answer(QUERY, new Caller("Basic a", false))).isSameAs(first);
            byte[] other = console.answer(QUERY, new Caller("Basic b", false));
            nanos.set(TimeUnit.MILLISECONDS.toNanos(1_500));
            byte[] last = console.answer(QUERY, new Caller("Basic c", false));
            assertThat(console.kept()).as("without the first").containsExactly(other, last);
            nanos.set(TimeUnit.MILLISECONDS.toNanos(2_500));
            Await.until(
                    "nothing is kept, although nobody asks",
                    Duration.ofSeconds(60),
                    () -> console.kept().isEmpty(),
                    () -> console.kept().size() + " answers");
        }
    }

    @Test
    void keepsNoAnswerAfterItsEnd() throws Console.BusyException, InterruptedException {
        ended.countDown();
        Console console = new Console(hanging, new WorkerProperties(Map.of()), () -> 0);
        byte[] ignored = console.answer(QUERY, CALLER);
        assertThat(console.kept()).hasSize(1);
        console.close();
        assertThat(console.kept()).isEmpty();
    }

    @Test
    void refusesAfterItsEnd() {
        Console console = new Console(hanging, new WorkerProperties(Map.of()));
        console.close();
        assertThatThrownBy(() -> console.answer(QUERY, CALLER)).isInstanceOf(Console.BusyException.class);
    }

    @Test
    void hasNoHistoryOfATaskThatDoesNotExist() throws Console.BusyException, InterruptedException, IOException {
        ended.countDown();
        try (Console console = new Console(hanging, new WorkerProperties(Map.of()))) {
            Map<String, Object> answer = Json.object(Json.read(console.history(new TaskKey("a/b", 0), false, CALLER)));
            assertThat(answer)
                    .containsEntry("connector", "a/b")
                    .containsEntry("task", 0L)
                    .containsEntry("series", Map.of());
        }
    }

    @Test
    void asksTheSameOfOthersAsItIsAsked() {
        assertThat(new Console.Query(true, true, 50, false).localPath())
                .isEqualTo("/microbatch/v1/tasks?local=true&figures=true&rates=true&p99=50.0");
        assertThat(QUERY.localPath()).isEqualTo("/microbatch/v1/tasks?local=true&figures=true&rates=false");
    }
}
