package io.microbatch.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.http.LoadLoop.Times;
import io.microbatch.bench.http.Shape.Format;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The load over real sockets to a server that answers as it is told. */
class LoadLoopTest {

    private static final Shape SHAPE = new Shape(Format.EVENTS, 100, 1, 100, false);

    private final AtomicInteger boundaries = new AtomicInteger();

    @Test
    void sendsAtTheRateAndNotesEveryOutcome() {
        int[] statuses = {200, 503, 504};
        try (ScriptedServer server = ScriptedServer.answering(number -> statuses[number % 3]);
                LoadLoop loop = new LoadLoop(server.uri(), "t", SHAPE, 4, 1)) {
            LoadFigures figures = run(loop, 300, 300);

            long requests = figures.answered() + figures.refused() + figures.unknown();
            assertThat(requests + figures.unsent()).as("due in 300 ms").isBetween(85L, 95L);
            assertThat(figures.statuses()).containsOnlyKeys(200, 503, 504);
            assertThat(figures.micros().getTotalCount()).isEqualTo(figures.answered() + figures.unsent());
            assertThat(figures.seconds()).isEqualTo(0.3);
            assertThat(boundaries).hasValue(2);
            assertThat(outcomes(loop.ledger())).isEqualTo(server.requests());
        }
    }

    /** On one connection, because the answers of several may overtake each other. */
    @Test
    void keepsTheFirstAnswerThatWasNo200() {
        try (ScriptedServer server = ScriptedServer.answering(number -> number == 0 ? 503 : 504);
                LoadLoop loop = new LoadLoop(server.uri(), "t", SHAPE, 1, 1)) {
            LoadFigures figures = run(loop, 0, 200);

            assertThat(figures.statuses()).containsKey(504);
            assertThat(loop.refusal()).isEqualTo("503 {\"error_code\":503}");
        }
    }

    @Test
    void hasOneRequestAtATimeOnEachConnectionInAClosedLoop() {
        try (ScriptedServer server = ScriptedServer.answering(number -> 200);
                LoadLoop loop = new LoadLoop(server.uri(), "t", SHAPE, 8, 1)) {
            LoadFigures figures = run(loop, 0, 200);

            assertThat(figures.answered()).isPositive();
            assertThat(figures.unsent()).isZero();
            assertThat(server.connections()).isEqualTo(8);
            for (int client = 0; client < 8; client++) {
                assertThat(loop.ledger().requests(client))
                        .as("client %d", client)
                        .isPositive();
            }
        }
    }

    @Test
    void reportsRequestsThatFoundNoFreeConnection() {
        try (ScriptedServer server = ScriptedServer.answering(number -> number < 2 ? ScriptedServer.SILENT : 200);
                LoadLoop loop = new LoadLoop(server.uri(), "t", SHAPE, 2, 1)) {
            LoadFigures figures = run(loop, 100, 200);

            assertThat(figures.unsent()).isPositive();
            assertThat(figures.micros().getTotalCount())
                    .as("none was answered in the measured part")
                    .isEqualTo(figures.unsent());
            // One is due each 10 ms.
            assertThat(figures.micros().getMaxValue()).isGreaterThanOrEqualTo((figures.unsent() - 1) * 10_000);
            assertThat(figures.sentMicros().getTotalCount()).isZero();
            assertThat(figures.hung()).isEqualTo(2);
            assertThat(figures.unknown()).isEqualTo(2);
            assertThat(loop.ledger().outcome(0, 0)).isEqualTo(Outcome.UNKNOWN);
        }
    }

    @Test
    void connectsAgainWhereTheServerEndsTheConnection() {
        try (ScriptedServer server =
                        ScriptedServer.answering(number -> number % 2 == 0 ? ScriptedServer.HANGS_UP : 200);
                LoadLoop loop = new LoadLoop(server.uri(), "t", SHAPE, 2, 1)) {
            LoadFigures figures = run(loop, 200, 200);

            assertThat(figures.answered()).isPositive();
            assertThat(figures.unknown()).isPositive();
            assertThat(figures.reconnects()).isPositive();
            assertThat(figures.statuses()).containsOnlyKeys(0, 200);
            assertThat(outcomes(loop.ledger())).isEqualTo(server.requests());
        }
    }

    private LoadFigures run(LoadLoop loop, double perSec, long ms) {
        return loop.run(perSec, new Times(0, ms), boundaries::incrementAndGet, boundaries::incrementAndGet);
    }

    private static int outcomes(Ledger ledger) {
        int requests = 0;
        for (int client = 0; client < ledger.clients(); client++) {
            requests += ledger.requests(client);
        }
        return requests;
    }
}
