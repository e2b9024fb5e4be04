package io.microbatch.connect.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A task as a worker shows it, and what an operator should be told.
 *
 * @param figures what is seen
 */
record AdvisorCase(
        String name, Map<Figure, Double> figures, Map<String, String> config, Verdict verdict, Change change) {

    static final String PLAIN = "com.example.QueueConnector";
    static final String DEBEZIUM = "io.debezium.connector.postgresql.PostgresConnector";
    static final String OURS = ConnectorSettings.MICROBATCH_CLASS;
    private static final TaskKey KEY = new TaskKey("shop", 0);

    @Override
    public String toString() {
        return name;
    }

    /** What the console says of it, which is what is expected. */
    Advice check() {
        Advice advice = advise(figures, config, "RUNNING", Advisor.GOAL_MS_DEFAULT);
        assertThat(advice.verdict()).as(advice.summary()).isEqualTo(verdict);
        assertThat(advice.change()).as(advice.summary()).isEqualTo(change);
        assertThat(advice.summary()).doesNotContain("NaN");
        assertThat(advice.change().isNone()
                        || advice.change().wraps()
                        || !advice.change().removed().isEmpty()
                        || !config.entrySet().containsAll(advice.change().set().entrySet()))
                .as("the advice differs from the present configuration")
                .isTrue();
        assertThat(advice.evidence()).isNotEmpty().allMatch(each -> Double.isFinite(each.value()));
        return advice;
    }

    static Advice advise(Map<Figure, Double> figures, Map<String, String> config, String state, double goalMs) {
        return Advisor.advise(
                new TaskSnapshot(KEY, figures),
                new ConnectorSettings(config, ConnectorSettings.FLUSH_MS_DEFAULT),
                state,
                goalMs);
    }

    static Map<Figure, Double> figures(Object... namesAndValues) {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            figures.put((Figure) namesAndValues[i], ((Number) namesAndValues[i + 1]).doubleValue());
        }
        return figures;
    }

    static Map<Figure, Double> exactlyOnce(
            double rate, double perPoll, double perTransaction, double commitMs, Object... more) {
        Map<Figure, Double> figures = figures(more);
        figures.put(Figure.RATE, rate);
        figures.put(Figure.WRITE_RATE, rate);
        figures.put(Figure.BATCH_RECORDS_AVG, perPoll);
        figures.put(Figure.TRANSACTION_RECORDS_AVG, perTransaction);
        figures.put(Figure.COMMIT_AVG_MS, commitMs);
        figures.putIfAbsent(Figure.COMMIT_MAX_MS, commitMs);
        return figures;
    }

    static Map<Figure, Double> microbatch(double rate, double p99Ms, double commitMs, double budgetMs, Object... more) {
        Map<Figure, Double> figures = exactlyOnce(rate, rate / 40, rate / 40, commitMs, more);
        figures.put(Figure.ACK_LATENCY_MINUTE_P50_MS, p99Ms / 2);
        figures.put(Figure.ACK_LATENCY_MINUTE_P99_MS, p99Ms);
        figures.putIfAbsent(Figure.ACK_LATENCY_P99_MS, p99Ms);
        figures.putIfAbsent(Figure.SEND_AND_COMMIT_MINUTE_P50_MS, commitMs);
        figures.put(Figure.BUDGET_MS, budgetMs);
        figures.putIfAbsent(Figure.BUDGET_ATTAINABLE, 1.0);
        figures.putIfAbsent(Figure.BUSY_RATIO, 0.2);
        figures.putIfAbsent(Figure.UPSTREAM_LAG_MS, 0.0);
        return figures;
    }

    static Map<String, String> config(String type, String... more) {
        Map<String, String> config = new LinkedHashMap<>(Map.of(ConnectorSettings.CLASS, type));
        for (int i = 0; i < more.length; i += 2) {
            config.put(more[i], more[i + 1]);
        }
        return config;
    }

    static Change set(String... keysAndValues) {
        Map<String, String> keys = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            keys.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return Change.setting(keys);
    }

    /** An interval, with a linger as long as it. */
    static Change intervalAndLinger(String ms) {
        return set(
                "transaction.boundary", "interval",
                "transaction.boundary.interval.ms", ms,
                "producer.override.linger.ms", ms);
    }

    static Change interval(String ms) {
        return set("transaction.boundary", "interval", "transaction.boundary.interval.ms", ms);
    }
}
