package io.microbatch.connect.console;

import static io.microbatch.connect.console.AdvisorCase.DEBEZIUM;
import static io.microbatch.connect.console.AdvisorCase.PLAIN;
import static io.microbatch.connect.console.AdvisorCase.advise;
import static io.microbatch.connect.console.AdvisorCase.config;
import static io.microbatch.connect.console.AdvisorCase.exactlyOnce;
import static io.microbatch.connect.console.AdvisorCase.figures;
import static io.microbatch.connect.console.AdvisorCase.interval;
import static io.microbatch.connect.console.AdvisorCase.intervalAndLinger;
import static io.microbatch.connect.console.AdvisorCase.set;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each case is a task as a worker shows it, and what an operator should be told. */
class AdvisorTest {

    static Stream<AdvisorCase> plain() {
        Map<String, String> interval20 =
                config(PLAIN, "transaction.boundary", "interval", "transaction.boundary.interval.ms", "20");
        Map<String, String> interval500 =
                config(PLAIN, "transaction.boundary", "interval", "transaction.boundary.interval.ms", "500");
        return Stream.of(
                new AdvisorCase(
                        "one event a poll fills the time with commits",
                        exactlyOnce(180, 1, 1, 5.4),
                        config(PLAIN),
                        Verdict.SET,
                        intervalAndLinger("90")),
                new AdvisorCase(
                        "large polls are large transactions already",
                        exactlyOnce(5_000, 500, 500, 6),
                        config(PLAIN),
                        Verdict.LEAVE,
                        Change.NONE),
                new AdvisorCase("rare events", exactlyOnce(5, 1, 1, 4), config(PLAIN), Verdict.LEAVE, Change.NONE),
                new AdvisorCase(
                        "polls that wait for longer than the goal keep an interval from being looked at",
                        exactlyOnce(50, 1, 1, 8, Figure.POLL_AVG_MS, 19, Figure.POLL_MAX_MS, 900),
                        config(PLAIN),
                        Verdict.WRAP,
                        Change.wrapping(Map.of("latency.target.ms", "100"))),
                new AdvisorCase(
                        "an interval that each commit outlasts",
                        exactlyOnce(30, 1, 1, 30),
                        interval20,
                        Verdict.SET,
                        intervalAndLinger("90")),
                new AdvisorCase(
                        "an interval that each commit outlasts, with batches that are full before a linger ends",
                        exactlyOnce(30, 1, 1, 30, Figure.PRODUCER_RECORD_BYTES_AVG, 20_000),
                        interval20,
                        Verdict.SET,
                        interval("90")),
                new AdvisorCase(
                        "an interval that is too long for the goal",
                        exactlyOnce(1_000, 1, 500, 4),
                        interval500,
                        Verdict.SET,
                        intervalAndLinger("90")),
                new AdvisorCase(
                        "an interval that is shorter than it need be",
                        exactlyOnce(1_000, 1, 20, 4),
                        interval20,
                        Verdict.SET,
                        intervalAndLinger("90")),
                new AdvisorCase(
                        "an interval that fits, with many produce requests",
                        exactlyOnce(1_000, 1, 80, 4),
                        config(PLAIN, "transaction.boundary", "interval", "transaction.boundary.interval.ms", "80"),
                        Verdict.SET,
                        set("producer.override.linger.ms", "80")),
                new AdvisorCase(
                        "an interval that fits",
                        exactlyOnce(1_000, 1, 80, 4),
                        config(
                                PLAIN,
                                "transaction.boundary",
                                "interval",
                                "transaction.boundary.interval.ms",
                                "80",
                                "producer.override.linger.ms",
                                "80"),
                        Verdict.LEAVE,
                        Change.NONE),
                new AdvisorCase(
                        "batches that are full before a linger ends",
                        exactlyOnce(1_000, 1, 80, 4, Figure.PRODUCER_RECORD_BYTES_AVG, 4_000),
                        config(PLAIN, "transaction.boundary", "interval", "transaction.boundary.interval.ms", "80"),
                        Verdict.LEAVE,
                        Change.NONE),
                new AdvisorCase(
                        "commits that no setting makes short enough",
                        exactlyOnce(20, 10, 10, 150),
                        config(PLAIN),
                        Verdict.LOOK_AT_BROKER,
                        Change.NONE),
                new AdvisorCase(
                        "slow commits and nothing else to do: larger transactions at least",
                        exactlyOnce(6, 1, 1, 160),
                        config(PLAIN),
                        Verdict.SET,
                        intervalAndLinger("320")),
                new AdvisorCase(
                        "transactions without a pause, whose commits wait for each other",
                        exactlyOnce(40, 1, 1, 24.6),
                        config(PLAIN),
                        Verdict.SET,
                        intervalAndLinger("70")),
                new AdvisorCase(
                        "commits of a quarter of the goal: the interval that comes nearest",
                        exactlyOnce(1_000, 1, 500, 28),
                        interval500,
                        Verdict.SET,
                        intervalAndLinger("90")),
                new AdvisorCase(
                        "the same with the interval that comes nearest",
                        exactlyOnce(1_000, 1, 90, 28),
                        config(
                                PLAIN,
                                "transaction.boundary",
                                "interval",
                                "transaction.boundary.interval.ms",
                                "90",
                                "producer.override.linger.ms",
                                "90"),
                        Verdict.LOOK_AT_BROKER,
                        Change.NONE),
                new AdvisorCase(
                        "a linger that saves a hundred produce requests a second",
                        exactlyOnce(100, 1, 8, 4),
                        config(PLAIN, "transaction.boundary", "interval", "transaction.boundary.interval.ms", "80"),
                        Verdict.SET,
                        set("producer.override.linger.ms", "80")),
                new AdvisorCase(
                        "an interval where few polls return events, each after the goal",
                        exactlyOnce(3, 1, 1, 6, Figure.POLL_AVG_MS, 330, Figure.POLL_MAX_MS, 800),
                        interval500,
                        Verdict.SET,
                        Change.removing(Set.of("transaction.boundary", "transaction.boundary.interval.ms"))),
                new AdvisorCase(
                        "polls that wait, of a connector whose version is chosen",
                        exactlyOnce(50, 1, 1, 8, Figure.POLL_AVG_MS, 19, Figure.POLL_MAX_MS, 900),
                        config(PLAIN, "connector.plugin.version", "[1.2]"),
                        Verdict.LEAVE,
                        Change.NONE),
                new AdvisorCase(
                        "polls that wait, of a connector with a setting class, which would replace its class",
                        exactlyOnce(50, 1, 1, 8, Figure.POLL_AVG_MS, 19, Figure.POLL_MAX_MS, 900),
                        config(PLAIN, "class", "premium"),
                        Verdict.LEAVE,
                        Change.NONE),
                new AdvisorCase(
                        "the same with a chosen version and an interval that is too long",
                        exactlyOnce(50, 1, 25, 8, Figure.POLL_AVG_MS, 19, Figure.POLL_MAX_MS, 900),
                        config(
                                PLAIN,
                                "connector.plugin.version",
                                "[1.2]",
                                "transaction.boundary",
                                "interval",
                                "transaction.boundary.interval.ms",
                                "500"),
                        Verdict.LOOK_AT_SOURCE,
                        Change.NONE),
                new AdvisorCase(
                        "one long commit of many",
                        exactlyOnce(25, 1, 1, 5, Figure.COMMIT_MAX_MS, 140),
                        config(PLAIN),
                        Verdict.LEAVE,
                        Change.NONE),
                new AdvisorCase(
                        "boundaries of the connector's own",
                        exactlyOnce(200, 1, 1, 5),
                        config(PLAIN, "transaction.boundary", "connector"),
                        Verdict.LEAVE,
                        Change.NONE));
    }

    static Stream<AdvisorCase> debezium() {
        Object[] queue = {Figure.DEBEZIUM_QUEUE_CAPACITY, 8192, Figure.DEBEZIUM_QUEUE_FREE, 8190};
        Map<Figure, Double> late = exactlyOnce(1_000, 500, 500, 5, queue);
        late.put(Figure.DEBEZIUM_BEHIND_MS, 40_000.0);
        return Stream.of(
                new AdvisorCase(
                        "Debezium's default poll interval",
                        exactlyOnce(1_000, 500, 500, 5, Figure.POLL_AVG_MS, 480, Figure.POLL_MAX_MS, 510),
                        config(DEBEZIUM),
                        Verdict.SET,
                        set(
                                "poll.interval.ms", "10",
                                "transaction.boundary", "interval",
                                "transaction.boundary.interval.ms", "80",
                                "producer.override.linger.ms", "80")),
                new AdvisorCase(
                        "Debezium's default poll interval, with few events",
                        exactlyOnce(6, 3, 3, 5, Figure.POLL_AVG_MS, 480, Figure.POLL_MAX_MS, 510),
                        config(DEBEZIUM),
                        Verdict.SET,
                        set("poll.interval.ms", "10")),
                new AdvisorCase(
                        "Debezium behind its database", late, config(DEBEZIUM), Verdict.LOOK_AT_SOURCE, Change.NONE),
                new AdvisorCase(
                        "Debezium without a connection",
                        exactlyOnce(1_000, 500, 500, 5, Figure.DEBEZIUM_CONNECTED, 0),
                        config(DEBEZIUM),
                        Verdict.LOOK_AT_SOURCE,
                        Change.NONE),
                new AdvisorCase(
                        "Debezium in a snapshot, during which it does not stream",
                        exactlyOnce(0, 0, 0, 5, Figure.DEBEZIUM_CONNECTED, 0, Figure.DEBEZIUM_SNAPSHOT_RUNNING, 1),
                        config(DEBEZIUM),
                        Verdict.WAIT,
                        Change.NONE),
                new AdvisorCase(
                        "Debezium at least once",
                        figures(
                                Figure.RATE, 100,
                                Figure.BATCH_RECORDS_AVG, 50,
                                Figure.PRODUCER_QUEUE_AVG_MS, 1,
                                Figure.PRODUCER_QUEUE_MAX_MS, 5,
                                Figure.PRODUCER_REQUEST_RATE, 2,
                                Figure.PRODUCER_REQUEST_AVG_MS, 3),
                        config(DEBEZIUM),
                        Verdict.SET,
                        set("poll.interval.ms", "10")));
    }

    static Stream<AdvisorCase> atLeastOnce() {
        Object[] full = {
            Figure.RATE, 5_000,
            Figure.BATCH_RECORDS_AVG, 500,
            Figure.PRODUCER_REQUEST_RATE, 35,
            Figure.PRODUCER_REQUEST_AVG_MS, 27,
            Figure.PRODUCER_BATCH_BYTES_AVG, 16_000,
            Figure.PRODUCER_COMPRESSION_RATIO, 1
        };
        Map<Figure, Double> idle = figures(full);
        idle.put(Figure.PRODUCER_REQUEST_RATE, 5.0);
        Map<Figure, Double> wide = figures(full);
        wide.put(Figure.PRODUCER_RECORDS_PER_REQUEST, 1_024.0);
        wide.put(Figure.PRODUCER_RECORD_BYTES_AVG, 1_000.0);
        Map<Figure, Double> wasted = figures(
                Figure.RATE, 1_000,
                Figure.BATCH_RECORDS_AVG, 1,
                Figure.PRODUCER_REQUEST_RATE, 3,
                Figure.PRODUCER_REQUEST_AVG_MS, 150,
                Figure.PRODUCER_BATCH_BYTES_AVG, 8_192,
                Figure.PRODUCER_BUFFER_WAIT_RATIO, 0.4);
        Map<Figure, Double> many = figures(
                Figure.RATE, 1_000,
                Figure.BATCH_RECORDS_AVG, 1,
                Figure.PRODUCER_REQUEST_RATE, 170,
                Figure.PRODUCER_REQUEST_AVG_MS, 2,
                Figure.PRODUCER_BATCH_BYTES_AVG, 800);
        return Stream.of(
                new AdvisorCase("room at the producer", idle, config(PLAIN), Verdict.LEAVE, Change.NONE),
                new AdvisorCase(
                        "many small requests, and a goal that leaves room",
                        many,
                        config(PLAIN),
                        Verdict.SET,
                        set("producer.override.linger.ms", "80")),
                new AdvisorCase(
                        "many small requests with the linger that the goal leaves room for",
                        many,
                        config(PLAIN, "producer.override.linger.ms", "80"),
                        Verdict.LEAVE,
                        Change.NONE),
                new AdvisorCase(
                        "polls that leave no room for a linger",
                        many,
                        config(DEBEZIUM, "poll.interval.ms", "40"),
                        Verdict.LEAVE,
                        Change.NONE),
                new AdvisorCase(
                        "full small requests, one after the other",
                        figures(full),
                        config(PLAIN),
                        Verdict.SET,
                        set("producer.override.batch.size", "1000000", "producer.override.compression.type", "lz4")),
                new AdvisorCase(
                        "full small requests of 64 topic partitions",
                        wide,
                        config(PLAIN),
                        Verdict.SET,
                        set("producer.override.batch.size", "262144", "producer.override.compression.type", "lz4")),
                new AdvisorCase(
                        "full small requests of 64 topic partitions, and more memory",
                        wide,
                        config(PLAIN, "producer.override.buffer.memory", "134217728"),
                        Verdict.SET,
                        set("producer.override.batch.size", "1000000", "producer.override.compression.type", "lz4")),
                new AdvisorCase(
                        "full batches of 64 topic partitions that have the memory",
                        wide,
                        config(
                                PLAIN,
                                "producer.override.batch.size",
                                "16384",
                                "producer.override.buffer.memory",
                                "2097152"),
                        Verdict.LOOK_AT_BROKER,
                        Change.NONE),
                new AdvisorCase(
                        "memory full of batches of 64 topic partitions with few events",
                        wasted,
                        config(PLAIN, "producer.override.batch.size", "1000000"),
                        Verdict.SET,
                        set("producer.override.batch.size", "32768")),
                new AdvisorCase(
                        "large requests, one after the other",
                        figures(full),
                        config(PLAIN, "producer.override.batch.size", "1000000"),
                        Verdict.LOOK_AT_BROKER,
                        Change.NONE));
    }

    @ParameterizedTest
    @MethodSource({"plain", "debezium", "atLeastOnce"})
    void advises(AdvisorCase given) {
        Advice ignored = given.check();
    }

    /** An advice that changes something promises to keep the goal, or says that nothing can. */
    @ParameterizedTest
    @MethodSource({"plain", "debezium"})
    void promisesNoWorseThanTheGoal(AdvisorCase given) {
        Advice advice = advise(given.figures(), given.config(), "RUNNING", Advisor.GOAL_MS_DEFAULT);
        if (!advice.change().isNone()
                && !given.name().contains("slow commits")
                && !given.name().contains("comes nearest")
                && !given.name().contains("each commit outlasts")) {
            assertThat(advice.then().p99Ms())
                    .satisfiesAnyOf(
                            p99 -> assertThat(p99).isNaN(),
                            p99 -> assertThat(p99).isLessThanOrEqualTo(Advisor.GOAL_MS_DEFAULT));
        }
    }

    /** The goal is the operator's: the same task, another advice. */
    @Test
    void dependsOnTheGoal() {
        Map<Figure, Double> figures = exactlyOnce(180, 1, 1, 5.4);
        assertThat(advise(figures, config(PLAIN), "RUNNING", 1_000).change()).isEqualTo(intervalAndLinger("990"));
        assertThat(advise(figures, config(PLAIN), "RUNNING", 20).change())
                .as("hosting is not better than the shortest interval by more than the model's error")
                .isEqualTo(intervalAndLinger("20"));
        assertThat(advise(exactlyOnce(300, 1, 1, 3.2), config(PLAIN), "RUNNING", 10)
                        .verdict())
                .as("no interval is nearly that short, but hosting is possible")
                .isEqualTo(Verdict.WRAP);
    }

    @Test
    void saysWhatHostingWouldBringWhereAStockSettingIsEnough() {
        Advice advice = advise(exactlyOnce(180, 1, 1, 5.4), config(PLAIN), "RUNNING", 100);
        assertThat(advice.alternatives()).hasSize(1).first().satisfies(other -> {
            assertThat(other.change().wraps()).isTrue();
            assertThat(other.summary()).contains("0.65 to 1.11 times the processor time of the cheapest interval");
            assertThat(other.then().p99Ms()).isLessThanOrEqualTo(100);
        });
    }

    @Test
    void namesThePollIntervalWhereEventsWaitForIt() {
        Map<Figure, Double> figures = exactlyOnce(1_000, 500, 500, 5, Figure.POLL_AVG_MS, 480, Figure.POLL_MAX_MS, 510);
        assertThat(advise(figures, config(DEBEZIUM), "RUNNING", 100).summary())
                .contains("An event waits for Debezium's poll interval", "Let Connect end transactions");
    }

    @Test
    void claimsNoDelayOfATaskThatItsCommitsHoldUp() {
        assertThat(advise(exactlyOnce(180, 1, 1, 5.4), config(PLAIN), "RUNNING", 100)
                        .now()
                        .p99Ms())
                .isNaN();
        assertThat(advise(exactlyOnce(50, 1, 1, 5.4), config(PLAIN), "RUNNING", 100)
                        .now()
                        .p99Ms())
                .isEqualTo(5.4);
    }

    @Test
    void waitsWhereNothingIsKnown() {
        assertThat(advise(Map.of(), config(PLAIN), "RUNNING", 100).verdict()).isEqualTo(Verdict.WAIT);
        assertThat(advise(exactlyOnce(180, 1, 1, 5), Map.of(), "RUNNING", 100).verdict())
                .isEqualTo(Verdict.WAIT);
        assertThat(advise(Map.of(), config(PLAIN), "UNASSIGNED", 100).verdict()).isEqualTo(Verdict.WAIT);
        assertThat(advise(Map.of(), config(PLAIN), "PAUSED", 100).verdict()).isEqualTo(Verdict.LEAVE);
        assertThat(advise(Map.of(), config(PLAIN), "FAILED", 100).verdict()).isEqualTo(Verdict.LOOK_AT_TASK);
    }
}
