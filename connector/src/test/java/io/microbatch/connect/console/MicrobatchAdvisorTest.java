package io.microbatch.connect.console;

import static io.microbatch.connect.console.AdvisorCase.OURS;
import static io.microbatch.connect.console.AdvisorCase.PLAIN;
import static io.microbatch.connect.console.AdvisorCase.advise;
import static io.microbatch.connect.console.AdvisorCase.config;
import static io.microbatch.connect.console.AdvisorCase.figures;
import static io.microbatch.connect.console.AdvisorCase.microbatch;
import static io.microbatch.connect.console.AdvisorCase.set;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each case is a task of this project's connector as a worker shows it, and what an operator should be told. */
class MicrobatchAdvisorTest {

    static Stream<AdvisorCase> ours() {
        Map<String, String> hosted = config(OURS, "upstream.connector.class", PLAIN);
        return Stream.of(
                new AdvisorCase(
                        "a budget that is kept", microbatch(1_000, 85, 4, 95), hosted, Verdict.LEAVE, Change.NONE),
                new AdvisorCase(
                        "Connect's interval under this connector",
                        microbatch(1_000, 120, 4, 50),
                        config(OURS, "transaction.boundary", "interval"),
                        Verdict.SET,
                        Change.removing(Set.of("transaction.boundary", "transaction.boundary.interval.ms"))),
                new AdvisorCase(
                        "a hosted connector that ends its transactions itself",
                        microbatch(1_000, 85, 4, 30),
                        config(OURS, "upstream.connector.class", PLAIN, "transaction.boundary", "connector"),
                        Verdict.LEAVE,
                        Change.NONE),
                new AdvisorCase(
                        "a fixed batch, in capitals as the connector accepts it",
                        microbatch(1_000, 10, 4, 10),
                        config(OURS, "batch.mode", "FIXED", "latency.target.ms", "10"),
                        Verdict.LEAVE,
                        Change.NONE),
                new AdvisorCase(
                        "a budget that the commits do not allow",
                        microbatch(100, 130, 60, 30, Figure.BUDGET_ATTAINABLE, 0),
                        hosted,
                        Verdict.SET,
                        set("latency.target.ms", "180")),
                new AdvisorCase(
                        "a target that the commits do not allow any more",
                        microbatch(100, 130, 60, 200, Figure.BUDGET_ATTAINABLE, 0),
                        config(OURS, "latency.target.ms", "200"),
                        Verdict.LOOK_AT_BROKER,
                        Change.NONE),
                new AdvisorCase(
                        "a goal that the commits do not allow, and a longer budget that is kept",
                        microbatch(1_000, 140, 40, 150),
                        config(OURS, "latency.target.ms", "150"),
                        Verdict.LOOK_AT_BROKER,
                        Change.NONE),
                new AdvisorCase(
                        "a longer target than the goal",
                        microbatch(1_000, 900, 4, 1_000),
                        config(OURS, "latency.target.ms", "1000"),
                        Verdict.SET,
                        set("latency.target.ms", "100")),
                new AdvisorCase(
                        "a shorter target than the goal, in many transactions",
                        microbatch(1_000, 10, 4, 10),
                        config(OURS, "latency.target.ms", "10"),
                        Verdict.SET,
                        set("latency.target.ms", "100")),
                new AdvisorCase(
                        "the objective latency, whose budget at this rate no target makes longer",
                        microbatch(1_000, 12, 4, 50),
                        config(OURS, "latency.target.ms", "100", "batch.objective", "latency"),
                        Verdict.LEAVE,
                        Change.NONE),
                new AdvisorCase(
                        "the objective latency, and a budget that the commits do not allow",
                        microbatch(100, 60, 20, 30, Figure.BUDGET_ATTAINABLE, 0),
                        config(OURS, "batch.objective", "latency"),
                        Verdict.LOOK_AT_BROKER,
                        Change.NONE),
                new AdvisorCase(
                        "a source that is read late",
                        microbatch(1_000, 45, 4, 50, Figure.UPSTREAM_LAG_MS, 30_000),
                        hosted,
                        Verdict.LOOK_AT_SOURCE,
                        Change.NONE),
                new AdvisorCase(
                        "a last second and a last batch that are not usual",
                        microbatch(1_000, 85, 4, 95, Figure.ACK_LATENCY_P99_MS, 400, Figure.SEND_AND_COMMIT_MS, 12),
                        hosted,
                        Verdict.LEAVE,
                        Change.NONE),
                new AdvisorCase(
                        "a database that hangs, which has no lag",
                        figures(
                                Figure.UPSTREAM_CONNECTED, 1,
                                Figure.UPSTREAM_SILENT_MS, 95_000,
                                Figure.UPSTREAM_HEARTBEAT_MS, 10_000),
                        hosted,
                        Verdict.LOOK_AT_SOURCE,
                        Change.NONE),
                new AdvisorCase(
                        "a database that began to hang within Connect's averages",
                        microbatch(
                                200, 85, 4, 95, Figure.UPSTREAM_SILENT_MS, 61_000, Figure.UPSTREAM_HEARTBEAT_MS, 5_000),
                        hosted,
                        Verdict.LOOK_AT_SOURCE,
                        Change.NONE),
                new AdvisorCase(
                        "a heartbeat that is not late yet",
                        microbatch(
                                1_000,
                                85,
                                4,
                                95,
                                Figure.UPSTREAM_SILENT_MS,
                                70_000,
                                Figure.UPSTREAM_HEARTBEAT_MS,
                                30_000),
                        hosted,
                        Verdict.LEAVE,
                        Change.NONE),
                new AdvisorCase(
                        "a long silence without heartbeats",
                        figures(Figure.UPSTREAM_CONNECTED, 1, Figure.UPSTREAM_SILENT_MS, 900_000),
                        hosted,
                        Verdict.WAIT,
                        Change.NONE),
                new AdvisorCase(
                        "a task that computes all the time",
                        microbatch(100_000, 45, 4, 75, Figure.BUSY_RATIO, 0.98),
                        hosted,
                        Verdict.LOOK_AT_TASK,
                        Change.NONE),
                new AdvisorCase(
                        "a task that commits all the time",
                        microbatch(100_000, 45, 24, 75, Figure.BUSY_RATIO, 0.98),
                        hosted,
                        Verdict.LOOK_AT_BROKER,
                        Change.NONE));
    }

    /** Tasks that nothing hosts: no advice may name a database, a hosted connector or a wrapping for the wrong one. */
    static Stream<AdvisorCase> ownUpstreams() {
        Map<String, String> http = config(OURS, "upstream.type", "http", "latency.target.ms", "10");
        Map<String, String> outbox = config(OURS, "upstream.type", "outbox");
        Map<Figure, Double> unplugged = figures(Figure.UPSTREAM_CONNECTED, 0);
        return Stream.of(
                new AdvisorCase(
                        "HTTP clients that wait for a short time",
                        microbatch(1_000, 9, 4, 10, Figure.HTTP_READY, 1, Figure.HTTP_ANSWER_P99_MS, 10),
                        http,
                        Verdict.LEAVE,
                        Change.NONE),
                new AdvisorCase(
                        "HTTP clients that wait for the linger",
                        microbatch(1_000, 240, 4, 250, Figure.HTTP_READY, 1, Figure.HTTP_ANSWER_P99_MS, 245),
                        config(OURS, "upstream.type", "http", "latency.target.ms", "250"),
                        Verdict.SET,
                        set("latency.target.ms", "100")),
                new AdvisorCase(
                        "HTTP clients that wait for commits that are too slow for the budget",
                        microbatch(
                                100,
                                60,
                                20,
                                30,
                                Figure.BUDGET_ATTAINABLE,
                                0,
                                Figure.HTTP_READY,
                                1,
                                Figure.HTTP_ANSWER_P99_MS,
                                62),
                        config(OURS, "upstream.type", "http"),
                        Verdict.LOOK_AT_BROKER,
                        Change.NONE),
                new AdvisorCase(
                        "HTTP clients whose bodies arrive slowly",
                        microbatch(1_000, 45, 4, 50, Figure.HTTP_READY, 1, Figure.HTTP_ANSWER_P99_MS, 2_000),
                        http,
                        Verdict.LOOK_AT_SOURCE,
                        Change.NONE),
                new AdvisorCase(
                        "HTTP clients that have waited for Kafka, as the last minute shows",
                        microbatch(
                                1_000,
                                4_800,
                                4,
                                10,
                                Figure.HTTP_READY,
                                1,
                                Figure.HTTP_ANSWER_P99_MS,
                                5_000,
                                Figure.ACK_LATENCY_P99_MS,
                                20),
                        http,
                        Verdict.WAIT,
                        Change.NONE),
                new AdvisorCase(
                        "an HTTP task without requests, which shows the times of its last ones",
                        figures(
                                Figure.RATE, 0,
                                Figure.HTTP_READY, 1,
                                Figure.HTTP_ANSWER_P99_MS, 5_000,
                                Figure.ACK_LATENCY_P99_MS, 20),
                        http,
                        Verdict.WAIT,
                        Change.NONE),
                new AdvisorCase(
                        "an HTTP task that Connect does not poll",
                        figures(Figure.HTTP_READY, 0),
                        http,
                        Verdict.LOOK_AT_TASK,
                        Change.NONE),
                new AdvisorCase(
                        "an outbox that is read and deleted",
                        microbatch(1_000, 85, 4, 95, Figure.UPSTREAM_CONNECTED, 1, Figure.OUTBOX_UNDELETED_ROWS, 120),
                        outbox,
                        Verdict.LEAVE,
                        Change.NONE),
                new AdvisorCase("an outbox without a database", unplugged, outbox, Verdict.LOOK_AT_SOURCE, Change.NONE),
                new AdvisorCase(
                        "an outbox whose rows are not deleted",
                        figures(Figure.UPSTREAM_CONNECTED, 1, Figure.OUTBOX_UNDELETED_ROWS, 100_000),
                        outbox,
                        Verdict.LOOK_AT_SOURCE,
                        Change.NONE),
                new AdvisorCase(
                        "at least once, with a longer budget than the goal",
                        figures(
                                Figure.RATE, 1_000,
                                Figure.ACK_LATENCY_MINUTE_P99_MS, 900,
                                Figure.BUDGET_MS, 1_000,
                                Figure.SEND_AND_COMMIT_MINUTE_P50_MS, 5),
                        config(OURS, "latency.target.ms", "1000"),
                        Verdict.SET,
                        set("latency.target.ms", "100")));
    }

    @ParameterizedTest
    @MethodSource("ownUpstreams")
    void neverWrapsOrNamesAnotherUpstream(AdvisorCase given) {
        Advice advice = given.check();
        assertThat(advice.change().wraps()).isFalse();
        assertThat(advice.alternatives()).isEmpty();
        assertThat(advice.summary()).doesNotContain("hosted");
        if (!"outbox".equals(given.config().get("upstream.type"))) {
            assertThat(advice.summary()).doesNotContain("database");
        }
    }

    @Test
    void saysWhereToLookWhenTheUpstreamIsSilent() {
        Map<String, String> hosted = config(OURS, "upstream.connector.class", AdvisorCase.DEBEZIUM);
        Map<Figure, Double> hung =
                figures(Figure.UPSTREAM_SILENT_MS, 95_000, Figure.UPSTREAM_HEARTBEAT_MS, 10_000, Figure.RATE, 0);
        Advice advice = advise(hung, hosted, "RUNNING", 100);
        assertThat(advice.summary()).contains("for 95 s", "every 10 s", "Look at the database");
        assertThat(advice.evidence())
                .contains(new Evidence("time since the upstream was heard", 95, "s"))
                .contains(new Evidence("interval of its heartbeats", 10, "s"));
        hung.remove(Figure.UPSTREAM_HEARTBEAT_MS);
        assertThat(advise(hung, hosted, "RUNNING", 100).summary())
                .contains("upstream.connector.heartbeat.interval.ms", "95 s");
        assertThat(advise(figures(Figure.UPSTREAM_SILENT_MS, 9_000), hosted, "RUNNING", 100)
                        .summary())
                .doesNotContain("heartbeat");
        assertThat(advise(hung, config(OURS, "upstream.connector.class", PLAIN), "RUNNING", 100)
                        .summary())
                .doesNotContain("heartbeat");
    }

    /** A shorter target than the budget that is broken would be broken too. */
    @Test
    void namesNoTargetBelowTheBudgetThatCannotBeKept() {
        Map<Figure, Double> figures =
                microbatch(50, 60, 4.6, 30, Figure.BUDGET_ATTAINABLE, 0, Figure.SEND_AND_COMMIT_MINUTE_P99_MS, 32);
        Map<String, String> hosted = config(OURS, "upstream.connector.class", PLAIN);
        assertThat(advise(figures, hosted, "RUNNING", 25).verdict()).isEqualTo(Verdict.LOOK_AT_BROKER);
        assertThat(advise(figures, hosted, "RUNNING", 30).verdict()).isEqualTo(Verdict.LOOK_AT_BROKER);
        assertThat(advise(figures, hosted, "RUNNING", 40).change()).isEqualTo(set("latency.target.ms", "40"));
    }

    /** Otherwise it would advise a longer target as soon as the shorter one is set, and so on. */
    @Test
    void atLeastOnceNamesNoTargetThatTheRequestsDoNotAllow() {
        Map<Figure, Double> figures = microbatch(1_000, 150, 60, 180);
        figures.keySet().removeAll(Set.of(Figure.TRANSACTION_RECORDS_AVG, Figure.COMMIT_AVG_MS, Figure.COMMIT_MAX_MS));
        Map<String, String> target = config(OURS, "upstream.connector.class", PLAIN, "latency.target.ms", "180");
        assertThat(advise(figures, target, "RUNNING", 100).verdict()).isEqualTo(Verdict.LOOK_AT_BROKER);
        assertThat(advise(figures, target, "RUNNING", 180).verdict()).isEqualTo(Verdict.LEAVE);
    }

    /** A median that is short does not explain a budget that is broken: the longest ones do. */
    @Test
    void saysHowLongTheSlowestBatchesTakeWhereTheBudgetIsBroken() {
        Map<Figure, Double> figures =
                microbatch(50, 60, 4.6, 30, Figure.BUDGET_ATTAINABLE, 0, Figure.SEND_AND_COMMIT_MINUTE_P99_MS, 32);
        assertThat(advise(figures, config(OURS, "upstream.connector.class", PLAIN), "RUNNING", 100)
                        .summary())
                .contains("4.6 ms", "32 ms for one in a hundred");
    }

    @Test
    void saysHowSeveralTasksOfEachUpstreamShareTheWork() {
        Map<Figure, Double> saturated = microbatch(100_000, 45, 4, 75, Figure.BUSY_RATIO, 0.98);
        assertThat(advise(saturated, config(OURS, "upstream.type", "http"), "RUNNING", 100)
                        .summary())
                .contains("tasks.max")
                .doesNotContain("Divide");
        assertThat(advise(saturated, config(OURS, "upstream.type", "outbox"), "RUNNING", 100)
                        .summary())
                .contains("upstream.outbox.shards");
        assertThat(advise(saturated, config(OURS, "upstream.connector.class", PLAIN), "RUNNING", 100)
                        .summary())
                .contains("Divide the source");
    }

    @ParameterizedTest
    @MethodSource("ours")
    void advises(AdvisorCase given) {
        Advice ignored = given.check();
    }
}
