package io.microbatch.bench.advise;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.microbatch.bench.Goal;
import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.Settings;
import io.microbatch.connect.console.AdviceLimits;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AdvisedCaseTest {

    private static final AdvisedStream STREAM = AdvisedStream.all(true).get(0);

    /** As many as let nine in ten be a goal. */
    private static final int MIN_CASES = 10;

    private static final Outcome BEFORE = new Outcome(true, 5, 10, 200, 0.6);
    private static final Outcome AFTER = new Outcome(true, 50, 99, 10, 0.3);
    private static final String ADVICE = """
            {"verdict": "set", "summary": "s", "evidence": [],
             "now": {"p99_ms": 6, "transactions_per_s": 200}, "then": {"p99_ms": 90, "transactions_per_s": 11},
             "change": {"set": {"transaction.boundary": "interval"}, "remove": [], "wrap": false}}
            """;

    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static AdvisedCase advised(String advice, Outcome after, Map<String, Outcome> tried) {
        return new AdvisedCase(STREAM, json(advice), BEFORE, after, tried);
    }

    @Test
    void comparesWithTheBestOfAllSettings() {
        AdvisedCase found = advised(
                ADVICE,
                AFTER,
                Map.of("costly", new Outcome(true, 5, 10, 200, 0.9), "cheap", new Outcome(true, 50, 95, 10, 0.1)));
        assertThat(found.best()).isEqualTo("cheap");
        assertThat(found.regret()).isEqualTo((0.3 - AdviceLimits.WORTH_CORES) / 0.1);
        assertThat(found.worse()).isEqualTo(1);
        assertThat(AdviceReport.misses(List.of(found)))
                .singleElement()
                .asString()
                .contains("regret 2.50", "cheap");
        assertThat(found.toJson())
                .containsEntry("advice", "set")
                .containsEntry("predicted_p99_ms", 90.0)
                .containsEntry("p99_ms", 99.0)
                .containsEntry("predicted_tps", 11.0)
                .containsEntry("tps", 10.0)
                .containsEntry("best", "cheap");
    }

    @Test
    void hasNoGoalOfTransactionsWithoutTransactions() {
        Outcome atLeastOnce = new Outcome(true, 50, 90, Double.NaN, 0.3);
        AdvisedCase without = advised(ADVICE, atLeastOnce, Map.of());
        assertThat(AdviceReport.goals(List.of(without)))
                .extracting(Goal::name)
                .hasSize(3)
                .noneMatch(name -> name.contains("transactions"));
        assertThat(AdviceReport.goals(List.of(without, advised(ADVICE, AFTER, Map.of()))))
                .hasSize(4);
    }

    @Test
    void isTheBestWhereNothingIsBetter() {
        AdvisedCase found = advised(ADVICE, AFTER, Map.of("late", new Outcome(true, 90, 180, 5, 0.1)));
        assertThat(found.best()).isEqualTo(AdvisedCase.ADVISED);
        assertThat(found.regret()).isEqualTo(1);
        assertThat(AdviceReport.misses(List.of(found))).isEmpty();
        assertThat(AdviceReport.goals(List.of(found))).allMatch(Goal::isMet);
    }

    /** The present setting is what is predicted where the advice changes nothing. */
    @Test
    void predictsThePresentWhereNothingChanges() {
        AdvisedCase found = advised(
                ADVICE.replace("\"transaction.boundary\": \"interval\"", "").replace("\"set\",", "\"leave\","),
                BEFORE,
                Map.of());
        assertThat(found.predictedP99Ms()).isEqualTo(6);
        assertThat(found.p99Factor()).isEqualTo(10.0 / 6);
        assertThat(AdviceReport.misses(List.of(found)))
                .singleElement()
                .asString()
                .contains("off by a factor of 1.67");
    }

    @Test
    void missesTheGoalWhereItIsWorseThanBefore() {
        AdvisedCase late = advised(ADVICE, new Outcome(true, 150, 300, 10, 0.3), Map.of());
        assertThat(late.worse()).isEqualTo(3);
        AdvisedCase lost = advised(ADVICE, new Outcome(false, Double.NaN, Double.NaN, 3, 1), Map.of());
        assertThat(lost.toJson()).containsEntry("regret", null);
        assertThat(AdviceReport.goals(List.of(late, lost))).noneMatch(Goal::isMet);
        assertThat(AdviceReport.lines(List.of(late, lost)))
                .anyMatch(line -> line.contains("no p99 to compare"))
                .anyMatch(line -> line.contains("MISSED"));
    }

    /** What the console advises to host has the same form as what is tried. */
    @Test
    void configuresHostedAndPlainConnectorsForTheSameStream() {
        AdvisedStream.Setting target = new AdvisedStream.Setting("t", true, Map.of("latency.target.ms", "100"));
        assertThat(STREAM.config(target, "topic", 10))
                .containsEntry("connector.class", "io.microbatch.connect.MicrobatchSourceConnector")
                .containsEntry("upstream.connector.class", "io.microbatch.bench.baseline.BaselineConnector")
                .containsEntry("upstream.connector.upstream.synthetic.rate", "200")
                .containsEntry("latency.target.ms", "100")
                .doesNotContainKey("upstream.synthetic.rate");
        assertThat(STREAM.config(STREAM.before(), "topic", 10))
                .containsEntry("connector.class", "io.microbatch.bench.baseline.BaselineConnector")
                .containsEntry("upstream.synthetic.topic", "topic");
    }

    /** Hosting has to be better than this one: a commit sends what the linger has collected. */
    @Test
    void triesAnIntervalWithALingerOnEveryExactlyOnceStream() {
        for (boolean quick : new boolean[] {true, false}) {
            assertThat(AdvisedStream.all(quick))
                    .hasSizeGreaterThanOrEqualTo(MIN_CASES)
                    .filteredOn(stream -> stream.delivery() == Delivery.EXACTLY_ONCE)
                    .allSatisfy(stream -> assertThat(stream.tried(quick, Map.of()))
                            .anySatisfy(setting -> assertThat(setting.options())
                                    .containsEntry(
                                            "producer.override.linger.ms",
                                            setting.options().get("transaction.boundary.interval.ms"))
                                    .containsEntry("transaction.boundary", "interval")));
        }
        assertThat(names(AdvisedStream.all(false).get(0).tried(false, Map.of())))
                .contains("interval-20-linger-20", "interval-50-linger-50", "interval-90-linger-90");
    }

    private static List<String> names(List<AdvisedStream.Setting> settings) {
        return settings.stream().map(AdvisedStream.Setting::name).toList();
    }

    /** An advised interval may come without a linger. With one it may be better. */
    @Test
    void triesTheAdvisedIntervalWithALinger() {
        Map<String, String> advised = Settings.interval(1, 70);
        assertThat(names(STREAM.tried(true, advised))).contains("interval-70-linger-70", "interval-90-linger-90");
        assertThat(STREAM.tried(true, advised))
                .filteredOn(setting -> setting.name().equals("interval-70-linger-70"))
                .allSatisfy(setting -> assertThat(STREAM.config(setting, "t", 10))
                        .containsAllEntriesOf(Settings.withLinger(advised, 70)));
        assertThat(names(STREAM.tried(true, Settings.interval(1, 90))))
                .as("once")
                .isEqualTo(names(STREAM.tried(true, Map.of())));
        assertThat(names(STREAM.tried(true, Settings.hosted(advised))))
                .as("a hosted connector has no interval")
                .isEqualTo(names(STREAM.tried(true, Map.of())));
    }

    @Test
    void hasStreamsWithNamesOfTheirOwnInBothExtents() {
        for (boolean quick : new boolean[] {true, false}) {
            List<AdvisedStream> streams = AdvisedStream.all(quick);
            assertThat(streams.stream().map(AdvisedStream::name)).doesNotHaveDuplicates();
            assertThat(streams.stream().map(AdvisedStream::place).distinct()).containsExactly(Place.values());
            assertThat(streams)
                    .allSatisfy(stream ->
                            assertThat(names(stream.tried(quick, Map.of()))).doesNotHaveDuplicates());
        }
    }
}
