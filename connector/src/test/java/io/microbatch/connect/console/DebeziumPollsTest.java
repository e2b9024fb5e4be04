package io.microbatch.connect.console;

import static io.microbatch.connect.console.AdvisorCase.DEBEZIUM;
import static io.microbatch.connect.console.AdvisorCase.advise;
import static io.microbatch.connect.console.AdvisorCase.config;
import static io.microbatch.connect.console.AdvisorCase.exactlyOnce;
import static io.microbatch.connect.console.AdvisorCase.figures;
import static io.microbatch.connect.console.AdvisorCase.set;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events wait for Debezium's poll interval, whatever ends the transactions. */
class DebeziumPollsTest {

    private static final String POLL_INTERVAL = SourceLoad.POLL_INTERVAL;

    private static Map<Figure, Double> polled(double rate, double perPoll, double perTransaction, double pollMs) {
        return exactlyOnce(
                rate, perPoll, perTransaction, 5, Figure.POLL_AVG_MS, pollMs - 20, Figure.POLL_MAX_MS, pollMs + 10);
    }

    private static Map<String, String> interval(String intervalMs, String pollMs) {
        return config(
                DEBEZIUM,
                "transaction.boundary",
                "interval",
                "transaction.boundary.interval.ms",
                intervalMs,
                "producer.override.linger.ms",
                intervalMs,
                POLL_INTERVAL,
                pollMs);
    }

    /** A shorter interval alone keeps no goal: the events are not polled yet. */
    @Test
    void areMadeMoreOftenTogetherWithAShorterInterval() {
        Map<Figure, Double> figures = polled(1_000, 500, 500, 500);
        Advice advice = advise(figures, interval("500", "500"), "RUNNING", 100);
        assertThat(advice.change())
                .isEqualTo(set(
                        POLL_INTERVAL,
                        "10",
                        "transaction.boundary",
                        "interval",
                        "transaction.boundary.interval.ms",
                        "80"));
        assertThat(advice.then().p99Ms()).isEqualTo(95);
        assertThat(advice.summary()).contains("poll interval", "shorter interval");
    }

    @Test
    void areMadeMoreOftenWhereTheIntervalIsShortEnough() {
        Map<Figure, Double> figures = polled(1_000, 500, 500, 500);
        Advice advice = advise(figures, interval("50", "500"), "RUNNING", 100);
        assertThat(advice.change()).isEqualTo(set(POLL_INTERVAL, "10"));
        assertThat(advice.now().p99Ms()).isGreaterThan(500);
        assertThat(advice.then().p99Ms()).isEqualTo(65);
    }

    /** How long events wait in the producer is not known before it has sent some. */
    @Test
    void stayAsTheyAreAtLeastOnceWhileTheP99IsNotKnown() {
        Map<Figure, Double> figures = figures(
                Figure.RATE, 100,
                Figure.BATCH_RECORDS_AVG, 50,
                Figure.PRODUCER_REQUEST_RATE, 2,
                Figure.PRODUCER_REQUEST_AVG_MS, 3);
        Advice advice = advise(figures, config(DEBEZIUM), "RUNNING", 100);
        assertThat(advice.now().p99Ms()).isNaN();
        assertThat(advice.change()).isEqualTo(Change.NONE);
    }

    /** These connectors read their database once in each interval. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.debezium.connector.sqlserver.SqlServerConnector",
                "io.debezium.connector.db2.Db2Connector",
                "io.debezium.connector.db2as400.As400RpcConnector"
            })
    void areMadeNoMoreOftenThanTheGoalNeedsWhereEachIsAQuery(String className) {
        Map<String, String> config = new HashMap<>(interval("50", "500"));
        config.put("connector.class", className);
        Map<Figure, Double> figures = polled(1_000, 500, 500, 500);
        Advice advice = advise(figures, config, "RUNNING", 200);
        assertThat(advice.change()).isEqualTo(set(POLL_INTERVAL, "50"));
        assertThat(advice.then().p99Ms()).isLessThan(200);
        assertThat(advice.summary()).contains("a query in each poll interval");
        assertThat(advise(figures, interval("50", "500"), "RUNNING", 200).summary())
                .doesNotContain("a query in each");
        assertThat(advise(figures, config, "RUNNING", 2_000).change().set()).doesNotContainKey(POLL_INTERVAL);
    }

    @Test
    void areMadeMoreOftenWhereEachMayEndATransaction() {
        Map<Figure, Double> figures = polled(6, 3, 3, 500);
        Advice advice = advise(figures, interval("500", "500"), "RUNNING", 25);
        assertThat(advice.change().set()).isEqualTo(Map.of(POLL_INTERVAL, "5"));
        assertThat(advice.change().removed())
                .containsExactly("transaction.boundary", "transaction.boundary.interval.ms");
        assertThat(advice.then().p99Ms()).isEqualTo(15);
    }

    /** What is advised must not hide the time in which an event waits for its poll. */
    @Test
    void countInTheDelayOfAnIntervalThatIsShorter() {
        Map<Figure, Double> figures = polled(1_000, 500, 500, 500);
        Advice advice = advise(figures, interval("20", "500"), "RUNNING", 2_000);
        assertThat(advice.now().p99Ms()).isEqualTo(2 * 500 + 3 * 5);
    }

    /** Late for another reason: the polls are as frequent as the goal needs, or more. */
    @Test
    void areNotChangedWhereTheyAreFrequentEnough() {
        Map<Figure, Double> slow = exactlyOnce(1_000, 50, 50, 8);
        slow.put(Figure.COMMIT_MAX_MS, 400.0);
        for (String pollMs : new String[] {"5", "10"}) {
            Advice advice = advise(slow, config(DEBEZIUM, POLL_INTERVAL, pollMs), "RUNNING", 100);
            assertThat(advice.now().p99Ms()).isGreaterThan(100);
            assertThat(advice.change().set()).as(pollMs).doesNotContainKey(POLL_INTERVAL);
            assertThat(advice.summary()).doesNotContain("poll interval");
        }
    }

    @Test
    void areNotChangedWhereTheyAreFrequentEnoughAtLeastOnce() {
        Map<Figure, Double> slow = figures(
                Figure.RATE, 100,
                Figure.BATCH_RECORDS_AVG, 1,
                Figure.PRODUCER_QUEUE_AVG_MS, 1,
                Figure.PRODUCER_QUEUE_MAX_MS, 5,
                Figure.PRODUCER_REQUEST_RATE, 2,
                Figure.PRODUCER_REQUEST_AVG_MS, 3);
        Map<String, String> config = new HashMap<>(config(DEBEZIUM, POLL_INTERVAL, "5"));
        assertThat(advise(slow, config, "RUNNING", 8).change().set()).doesNotContainKey(POLL_INTERVAL);
        config.put(POLL_INTERVAL, "6");
        assertThat(advise(slow, config, "RUNNING", 8).change()).isEqualTo(set(POLL_INTERVAL, "5"));
    }
}
