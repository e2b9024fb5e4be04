package io.microbatch.connect.console;

import static io.microbatch.connect.console.AdvisorCase.PLAIN;
import static io.microbatch.connect.console.AdvisorCase.config;
import static io.microbatch.connect.console.AdvisorCase.exactlyOnce;
import static io.microbatch.connect.console.AdvisorCase.figures;
import static io.microbatch.connect.console.AdvisorCase.interval;
import static io.microbatch.connect.console.AdvisorCase.intervalAndLinger;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Advice on settings of the producer, which a worker may refuse. */
class ProducerSettingsTest {

    private static final String BATCH_SIZE = "producer.override.batch.size";
    private static final WorkerProducer REFUSING = new WorkerProducer(Map.of(), Optional.of(Set.of()));

    private static final Object[] FULL_AND_BUSY = {
        Figure.PRODUCER_BATCH_BYTES_AVG,
        16_000,
        Figure.PRODUCER_REQUEST_RATE,
        300,
        Figure.PRODUCER_REQUEST_AVG_MS,
        3.2,
        Figure.PRODUCER_COMPRESSION_RATIO,
        1.0
    };

    private static Advice advise(Map<Figure, Double> figures, Map<String, String> config, boolean allowsOverrides) {
        return advise(figures, config, allowsOverrides ? WorkerProducer.DEFAULT : REFUSING, Advisor.GOAL_MS_DEFAULT);
    }

    private static Advice advise(
            Map<Figure, Double> figures, Map<String, String> config, WorkerProducer worker, double goalMs) {
        return Advisor.advise(
                new TaskSnapshot(new TaskKey("shop", 0), figures),
                new ConnectorSettings(config, ConnectorSettings.FLUSH_MS_DEFAULT, worker),
                "RUNNING",
                goalMs);
    }

    @Test
    void setsALingerWithAnIntervalAndSaysWhatTheWorkerHasToAllow() {
        Advice advice = advise(exactlyOnce(180, 1, 1, 5.4), config(PLAIN), true);
        assertThat(advice.change()).isEqualTo(intervalAndLinger("90"));
        assertThat(advice.summary()).contains("connector.client.config.override.policy", "default (All)");
    }

    /** The commit sends what the linger has collected: it delays no event that consumers of committed ones see. */
    @Test
    void predictsTheSameWithALingerAndWithout() {
        Map<Figure, Double> figures = exactlyOnce(180, 1, 1, 5.4);
        assertThat(advise(figures, config(PLAIN), true).then())
                .isEqualTo(advise(figures, config(PLAIN), false).then());
    }

    @Test
    void setsNoLingerThatTheWorkerRefuses() {
        Advice advice = advise(exactlyOnce(180, 1, 1, 5.4), config(PLAIN), false);
        assertThat(advice.change()).isEqualTo(interval("90"));
        assertThat(advice.summary())
                .contains("connector.client.config.override.policy refuses", "producer.linger.ms")
                .doesNotContain("default (All)");
        Map<String, String> right =
                config(PLAIN, "transaction.boundary", "interval", "transaction.boundary.interval.ms", "80");
        assertThat(advise(exactlyOnce(1_000, 1, 80, 4), right, false).verdict()).isEqualTo(Verdict.LEAVE);
    }

    @Test
    void saysNothingOfALingerThatWouldSaveNothing() {
        Map<String, String> tooShort =
                config(PLAIN, "transaction.boundary", "interval", "transaction.boundary.interval.ms", "20");
        Advice advice = advise(exactlyOnce(30, 1, 1, 30, Figure.PRODUCER_RECORD_BYTES_AVG, 20_000), tooShort, false);
        assertThat(advice.change().isNone()).isFalse();
        assertThat(advice.summary()).doesNotContain("linger");
    }

    @Test
    void setsNoLingerAtLeastOnceThatTheWorkerRefuses() {
        Map<Figure, Double> many = figures(
                Figure.RATE, 1_000,
                Figure.BATCH_RECORDS_AVG, 1,
                Figure.PRODUCER_REQUEST_RATE, 170,
                Figure.PRODUCER_REQUEST_AVG_MS, 2);
        Advice allowed = advise(many, config(PLAIN), true);
        assertThat(allowed.change().set()).containsEntry(ProducerLoad.LINGER, "80");
        assertThat(allowed.then().p99Ms()).isEqualTo(82);
        Advice refused = advise(many, config(PLAIN), false);
        assertThat(refused.verdict()).isEqualTo(Verdict.LEAVE);
        assertThat(refused.summary())
                .contains("connector.client.config.override.policy refuses", "producer.linger.ms", "80 ms");
    }

    @Test
    void setsNoLargerBatchesThatTheWorkerRefuses() {
        Map<Figure, Double> plain = figures(FULL_AND_BUSY);
        plain.put(Figure.RATE, 40_000.0);
        assertThat(advise(plain, config(PLAIN), true).change().set()).containsKey(BATCH_SIZE);
        assertThat(advise(plain, config(PLAIN), false)).satisfies(this::refusesLargerBatches);

        Map<Figure, Double> ours = AdvisorCase.microbatch(40_000, 90, 5, 100, FULL_AND_BUSY);
        ours.put(Figure.BUSY_RATIO, 0.95);
        Map<String, String> config = config(AdvisorCase.OURS);
        assertThat(advise(ours, config, true).change().set()).containsKey(BATCH_SIZE);
        assertThat(advise(ours, config, false)).satisfies(this::refusesLargerBatches);
    }

    @Test
    void setsSmallerBatchesWhereTheTaskWaitsForMemoryThatIsHardlyUsed() {
        Object[] wasted = {Figure.PRODUCER_BUFFER_WAIT_RATIO, 0.4, Figure.PRODUCER_BATCH_BYTES_AVG, 9_000};
        Map<Figure, Double> plain = exactlyOnce(1_000, 1, 250, 30, wasted);
        Map<Figure, Double> ours = AdvisorCase.microbatch(40_000, 90, 5, 100, wasted);
        ours.put(Figure.BUSY_RATIO, 0.95);
        Map.of(PLAIN, plain, AdvisorCase.OURS, ours).forEach((type, figures) -> {
            Map<String, String> large = config(type, BATCH_SIZE, "1000000");
            Advice advice = advise(figures, large, true);
            assertThat(advice.change().set()).isEqualTo(Map.of(BATCH_SIZE, "32768"));
            WorkerProducer refusing = new WorkerProducer(Map.of("batch.size", "1000000"), Optional.of(Set.of()));
            Advice refused = advise(figures, config(type), refusing, Advisor.GOAL_MS_DEFAULT);
            assertThat(refused.change().isNone()).isTrue();
            assertThat(refused.summary()).contains("hardly filled", "producer.batch.size");
            Advice followed = advise(figures, config(type, BATCH_SIZE, "32768"), true);
            assertThat(followed.summary()).doesNotContain("hardly filled");
        });
    }

    private void refusesLargerBatches(Advice advice) {
        assertThat(advice.verdict()).isEqualTo(Verdict.LOOK_AT_BROKER);
        assertThat(advice.change().isNone()).isTrue();
        assertThat(advice.summary()).contains("producer.batch.size");
    }

    /** An advice that was followed in the worker's properties must not come again. */
    @Test
    void knowsTheWorkersOwnSettings() {
        Map<Figure, Double> full = AdvisorCase.microbatch(40_000, 90, 5, 100, FULL_AND_BUSY);
        full.put(Figure.BUSY_RATIO, 0.95);
        Map<String, String> ours = config(AdvisorCase.OURS);
        WorkerProducer larger = new WorkerProducer(Map.of("batch.size", "1000000"), Optional.of(Set.of()));
        assertThat(advise(full, ours, larger, 100).summary()).doesNotContain("producer.batch.size");
        assertThat(advise(full, ours, larger, 100).summary()).contains("waits for the broker");
        WorkerProducer compressing = new WorkerProducer(Map.of("compression.type", "zstd"), Optional.empty());
        assertThat(advise(full, ours, compressing, 100).change().set()).containsOnlyKeys(BATCH_SIZE);

        Map<String, String> interval =
                config(PLAIN, "transaction.boundary", "interval", "transaction.boundary.interval.ms", "80");
        WorkerProducer lingering = new WorkerProducer(Map.of("linger.ms", "100"), Optional.empty());
        assertThat(advise(exactlyOnce(1_000, 1, 80, 4), interval, lingering, 100)
                        .verdict())
                .isEqualTo(Verdict.LEAVE);

        WorkerProducer impatient = new WorkerProducer(Map.of("transaction.timeout.ms", "10000"), Optional.empty());
        assertThat(advise(exactlyOnce(100, 1, 1, 4), config(PLAIN), impatient, 30_000)
                        .change())
                .isEqualTo(intervalAndLinger("5000"));
        assertThat(advise(
                                exactlyOnce(100, 1, 1, 4),
                                config(PLAIN, "producer.override.transaction.timeout.ms", "20000"),
                                impatient,
                                30_000)
                        .change())
                .as("the connector's own setting counts")
                .isEqualTo(intervalAndLinger("10000"));
    }

    @Test
    void setsOnlyWhatAListOfTheWorkerAllows() {
        WorkerProducer lingers = new WorkerProducer(Map.of(), Optional.of(Set.of("linger.ms")));
        WorkerProducer batches = new WorkerProducer(Map.of(), Optional.of(Set.of("batch.size")));
        Map<Figure, Double> polls = exactlyOnce(180, 1, 1, 5.4);
        assertThat(advise(polls, config(PLAIN), lingers, 100).change()).isEqualTo(intervalAndLinger("90"));
        assertThat(advise(polls, config(PLAIN), batches, 100).change()).isEqualTo(interval("90"));

        Map<Figure, Double> full = figures(FULL_AND_BUSY);
        full.put(Figure.RATE, 40_000.0);
        assertThat(advise(full, config(PLAIN), batches, 100).change().set()).containsOnlyKeys(BATCH_SIZE);
        assertThat(advise(full, config(PLAIN), lingers, 100)).satisfies(this::refusesLargerBatches);
    }

    /** The broker would abort the transactions of a longer interval, and the task would fail. */
    @Test
    void advisesNoIntervalOfMoreThanHalfOfTheTransactionTimeout() {
        Map<Figure, Double> figures = exactlyOnce(100, 1, 1, 4);
        String timeout = "producer.override.transaction.timeout.ms";
        assertThat(AdvisorCase.advise(figures, config(PLAIN), "RUNNING", 90_000).change())
                .isEqualTo(intervalAndLinger("30000"));
        assertThat(AdvisorCase.advise(figures, config(PLAIN, timeout, "10000"), "RUNNING", 30_000)
                        .change())
                .isEqualTo(intervalAndLinger("5000"));
    }

    @Test
    void advisesNoSuchIntervalWhereCommitsAloneTakeThatLong() {
        Map<Figure, Double> slow = exactlyOnce(100, 1, 1, 900);
        String timeout = "producer.override.transaction.timeout.ms";
        Map<String, String> eachPoll = config(PLAIN, timeout, "3000");
        Map<String, String> interval = config(
                PLAIN, timeout, "3000", "transaction.boundary", "interval", "transaction.boundary.interval.ms", "500");
        for (Map<String, String> config : List.of(eachPoll, interval)) {
            Advice advice = AdvisorCase.advise(slow, config, "RUNNING", 1_000);
            assertThat(advice.verdict()).as(advice.summary()).isEqualTo(Verdict.LOOK_AT_BROKER);
            assertThat(advice.summary()).contains("half of the transaction timeout");
            assertThat(advice.change().isNone()).isTrue();
        }
        assertThat(AdvisorCase.advise(slow, config(PLAIN), "RUNNING", 1_000).change())
                .isEqualTo(intervalAndLinger("1800"));
    }
}
