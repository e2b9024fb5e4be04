package io.microbatch.connect.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
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
