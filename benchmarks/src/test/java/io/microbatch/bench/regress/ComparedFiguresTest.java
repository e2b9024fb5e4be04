package io.microbatch.bench.regress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparedFiguresTest {

    private static ComparedFigures figures(String text) throws JsonProcessingException {
        return ComparedFigures.of(new ObjectMapper().readTree(text.replace('\'', '"')));
    }

    private static Map<String, List<Double>> runs(ComparedFigures stored, ComparedFigures... fresh) {
        Map<String, List<Double>> runs = new LinkedHashMap<>();
        stored.changes(List.of(fresh)).forEach((path, change) -> runs.put(path, change.runs()));
        return runs;
    }

    private static Map<String, Double> values(ComparedFigures figures) {
        Map<String, Double> values = new LinkedHashMap<>();
        figures.values().forEach((path, figure) -> values.put(path, figure.value()));
        return values;
    }

    @Test
    void aHigherRateAndALowerLatencyAreBetter() throws JsonProcessingException {
        ComparedFigures stored = figures("{'plain': {'backlog_per_s': 100, 'p99_ms_50': 10, 'cpu_s_per_million': 40}}");
        ComparedFigures fresh = figures("{'plain': {'backlog_per_s': 150, 'p99_ms_50': 20, 'cpu_s_per_million': 20}}");
        assertThat(runs(stored, fresh))
                .containsOnly(
                        entry("plain.backlog_per_s", List.of(1.5)),
                        entry("plain.p99_ms_50", List.of(0.5)),
                        entry("plain.cpu_s_per_million", List.of(2.0)));
    }

    /** A rival that is not known is left out without a word. */
    @Test
    void knowsEveryContenderOfTheStoredComparison() throws IOException {
        JsonNode stored =
                new ObjectMapper().readTree(Path.of("results", "compare.json").toFile());
        for (String mode : List.of("exactly_once", "at_least_once")) {
            assertThat(stored.path(mode).properties().stream()
                            .filter(figure -> figure.getValue().isNumber())
                            .map(Map.Entry::getKey))
                    .isNotEmpty()
                    .allMatch(FigureKind::isContender);
        }
    }

    @Test
    void theFiguresOfRivalsShowHowFastTheMachineIs() throws JsonProcessingException {
        ComparedFigures stored = figures("{'eo': {'naive': 10, 'interval_20': 100, 'adaptive': 200, 'fixed': 100}}");
        ComparedFigures fresh = figures("{'eo': {'naive': 7, 'interval_20': 50, 'adaptive': 90, 'fixed': 10}}");
        Map<String, Change> changes = stored.changes(List.of(fresh));

        Machine machine =
                ComparedFigures.machine(changes, List.of("naive", "interval_")).get(FigureKind.RATE);
        assertThat(machine.speed()).isCloseTo(0.6, within(1e-9));
        assertThat(machine.poor()).as("of so few the worst").isCloseTo(0.5, within(1e-9));
        // It lost more than a tenth versus the median, and less than a rival.
        assertThat(new Change(FigureKind.RATE, List.of(0.51), Double.NaN).lost(machine))
                .isFalse();
        assertThat(new Change(FigureKind.RATE, List.of(0.49), Double.NaN).lost(machine))
                .isTrue();
        assertThat(ComparedFigures.machine(changes, List.of("producer"))).isEmpty();
    }

    /** A result has up to hundreds of rivals' figures, and the worst of them would excuse nearly any loss. */
    @Test
    void oneNoisyFigureOfARivalExcusesNoLoss() throws JsonProcessingException {
        StringBuilder before = new StringBuilder();
        StringBuilder after = new StringBuilder();
        for (int i = 0; i < 10; i++) {
            before.append("'interval-").append(i).append("': {'p99_ms': 20}, ");
            after.append("'interval-")
                    .append(i)
                    .append("': {'p99_ms': ")
                    .append(i == 3 ? 40 : 20)
                    .append("}, ");
        }
        ComparedFigures stored = figures("{" + before + "'default': {'p99_ms': 20}}");
        ComparedFigures fresh = figures("{" + after + "'default': {'p99_ms': 30}}");
        Map<String, Change> changes = stored.changes(List.of(fresh));
        Machine machine = ComparedFigures.machine(changes, List.of("interval-")).get(FigureKind.LATENCY);
        assertThat(machine).isEqualTo(new Machine(1, 1));
        assertThat(changes.get("default.p99_ms").lost(machine)).isTrue();
    }

    /** It may not have carried its rate, which says nothing of the machine. */
    @Test
    void aFigureThatARivalLacksExcusesNoLoss() throws JsonProcessingException {
        ComparedFigures stored = figures("{'interval_20': {'p99_ms': 20}, 'interval_50': {'p99_ms': 50}}");
        ComparedFigures fresh = figures("{'interval_20': {'p99_ms': 20}, 'interval_50': {'p99_ms': null}}");

        assertThat(ComparedFigures.machine(stored.changes(List.of(fresh)), List.of("interval_")))
                .containsOnly(entry(FigureKind.LATENCY, new Machine(1, 1)));
    }

    /** On a machine that takes twice the CPU, an interval of 50 ms still has the latency of 50 ms. */
    @Test
    void eachKindOfFigureHasTheSpeedOfItsOwnRivals() throws JsonProcessingException {
        ComparedFigures stored = figures("{'interval-50': {'p99_ms': 52, 'cpu_s_per_million': 100, 'per_s': 8},"
                + " 'default': {'p99_ms': 40, 'cpu_s_per_million': 100}}");
        ComparedFigures fresh = figures("{'interval-50': {'p99_ms': 52, 'cpu_s_per_million': 200, 'per_s': 4},"
                + " 'default': {'p99_ms': 80, 'cpu_s_per_million': 200}}");
        Map<String, Change> changes = stored.changes(List.of(fresh));
        Map<FigureKind, Machine> machine = ComparedFigures.machine(changes, List.of("interval-"));

        assertThat(machine)
                .containsOnly(
                        entry(FigureKind.LATENCY, new Machine(1, 1)),
                        entry(FigureKind.CPU, new Machine(0.5, 0.5)),
                        entry(FigureKind.RATE, new Machine(0.5, 0.5)));
        assertThat(changes.get("default.p99_ms").lost(machine.get(FigureKind.LATENCY)))
                .isTrue();
        assertThat(changes.get("default.cpu_s_per_million").lost(machine.get(FigureKind.CPU)))
                .isFalse();
    }

    @Test
    void aMedianIsLostWhenItIsWorseThanTheWorstStoredRound() throws JsonProcessingException {
        String stored = "{'default': {'p99_ms': 40, 'spread': {'p99_ms': [38, 50]}}}";
        assertThat(lost(stored, 49, 49, 70)).isFalse();
        assertThat(lost(stored, 51, 60, 70)).isTrue();
        // One lucky run of several hides no loss.
        assertThat(lost(stored, 39, 60, 70)).isTrue();
        // Beyond all rounds, and less than a tenth.
        assertThat(lost("{'default': {'p99_ms': 40, 'spread': {'p99_ms': [38, 41]}}}", 42, 43, 44))
                .isFalse();
        // Nor does one lucky round of a run.
        assertThat(figures(stored)
                        .changes(List.of(
                                figures("{'default': {'p99_ms': 60, 'each_round': [{'p99_ms': 39}, {'p99_ms': 70}]}}")))
                        .get("default.p99_ms")
                        .lost(Machine.SAME))
                .isTrue();
        // Without stored rounds the median decides.
        assertThat(lost("{'default': {'p99_ms': 40}}", 39, 60, 70)).isTrue();
    }

    private static boolean lost(String stored, double... p99s) throws JsonProcessingException {
        List<ComparedFigures> fresh = new ArrayList<>();
        for (double p99 : p99s) {
            fresh.add(figures("{'default': {'p99_ms': " + p99 + "}}"));
        }
        return figures(stored).changes(fresh).get("default.p99_ms").lost(Machine.SAME);
    }

    @Test
    void theWorstRoundIsFoundInEachFormInWhichResultsHaveRounds() throws JsonProcessingException {
        ComparedFigures figures = figures("{'a': {'per_s': 5, 'each_round': {'per_s': [5, 4, 6]}},"
                + " 'b': {'per_s': 5, 'each_round': [{'per_s': 3}, {'per_s': 9}]},"
                + " 'c': {'p99_ms': 5, 'rounds': [{'p99_ms': 4}, {'p99_ms': 7}]},"
                + " 'd': {'cpu_s_per_million': 5, 'rounds': [{'p99_ms': 4}], 'spread': {'cpu': [4, 8]}},"
                + " 'e': {'up_ms': 100, 'up_ms_each': [100, 300]},"
                + " 'f': {'per_s': 5}}");
        Map<String, Double> worst = new LinkedHashMap<>();
        figures.values().forEach((path, figure) -> worst.put(path, figure.worst()));
        assertThat(worst)
                .containsOnly(
                        entry("a.per_s", 4.0),
                        entry("b.per_s", 3.0),
                        entry("c.p99_ms", 7.0),
                        entry("d.cpu_s_per_million", 8.0),
                        entry("e.up_ms", 300.0),
                        entry("f.per_s", Double.NaN));
    }

    @Test
    void whatWasAskedForOrChosenIsNoFigure() throws JsonProcessingException {
        ComparedFigures figures =
                figures("{'verified': true, 'exactly_once': {'naive': 5, 'spread': {'naive': [4, 6]}},"
                        + " 'rates': [{'rate': 50, 'budget_ms': 5, 'adaptive': {'capacity': 7, 'linger_ms': 3}}],"
                        + " 'tuned': {'each_round': [{'p99_ms_50': 3}]}, 'goals': {'adaptive': {'p99_ms_50': 4}},"
                        + " 'settings': {'tuned': {'backlog_per_s': 5}}, 'environment': {'processors': 2}}");
        assertThat(values(figures))
                .containsOnly(entry("exactly_once.naive", 5.0), entry("rates[50].adaptive.capacity", 7.0));
    }

    @Test
    void elementsAreFoundByWhatTheyAreCalledAndNotByTheirPlace() throws JsonProcessingException {
        ComparedFigures stored =
                figures("{'modes': [{'name': 'a', 'sustained_per_s': 10}, {'name': 'b', 'sustained_per_s': 1}]}");
        ComparedFigures fresh = figures("{'modes': [{'name': 'b', 'sustained_per_s': 2}]}");
        assertThat(runs(stored, fresh))
                .containsOnly(
                        // Gone is lost.
                        entry("modes[a].sustained_per_s", List.of(0.0)),
                        entry("modes[b].sustained_per_s", List.of(2.0)));
    }

    @Test
    void rowsOfOneModeAreToldApartByTheirSizeAndATimelineIsNoFigure() throws JsonProcessingException {
        ComparedFigures figures = figures("{'sizes': [{'mode': 'eo', 'size_bytes': 1000, 'adaptive_per_s': 9},"
                + " {'mode': 'eo', 'size_bytes': 10000, 'adaptive_per_s': 3}],"
                + " 'exactly_once': [{'name': 'naive', 'per_s': 4}],"
                + " 'timeline': {'latency_p99_ms': [1, 2], 'arrivals': [10, 20]}}");
        assertThat(values(figures))
                .containsOnly(
                        entry("sizes[eo 1000].adaptive_per_s", 9.0),
                        entry("sizes[eo 10000].adaptive_per_s", 3.0),
                        entry("exactly_once[naive].per_s", 4.0));
    }

    @Test
    void theContendersOfAFrontierAreComparedAndNotTheirRounds() throws JsonProcessingException {
        ComparedFigures figures =
                figures("{'rounds': 2, 'rates': [{'rate': 20, 'contenders': {'default': {'p99_ms': 15,"
                        + " 'cpu_s_per_million': 7, 'tps': 20, 'rounds': [{'p99_ms': 14}]}}}],"
                        + " 'dominated': [{'rate': 20, 'p99_ms': 15}],"
                        + " 'targets': [{'rate': 20, 'target': 30, 'p99_ms': 15}]}");
        assertThat(values(figures))
                .containsOnly(
                        entry("rates[20].contenders.default.p99_ms", 15.0),
                        entry("rates[20].contenders.default.cpu_s_per_million", 7.0));
    }

    @Test
    void theCellsOfHttpAreToldApart() throws JsonProcessingException {
        assertThat(values(figures("{'contenders': [{'name': 'http', 'mode': 'eo', 'cell': 'closed-256', 'per_s': 9},"
                        + " {'name': 'http', 'mode': 'eo', 'cell': 'rate-1000', 'per_s': 5,"
                        + " 'transactions_per_s': 4}]}")))
                .containsOnly(
                        entry("contenders[eo http closed-256].per_s", 9.0),
                        entry("contenders[eo http rate-1000].per_s", 5.0));
    }

    @Test
    void lessProcessorOfAnIdleTaskIsBetter() throws JsonProcessingException {
        assertThat(runs(figures("{'idle_cpu_ms_per_s': 2}"), figures("{'idle_cpu_ms_per_s': 1}")))
                .containsOnly(entry("idle_cpu_ms_per_s", List.of(2.0)));
    }

    @Test
    void severalRunsAreInOrder() throws JsonProcessingException {
        ComparedFigures stored = figures("{'up_ms': 0}");
        assertThat(runs(stored, figures("{'up_ms': 400}"), figures("{'up_ms': 200}"), figures("{'up_ms': 0}")))
                .containsOnly(entry("up_ms", List.of(0.25, 0.5, 1.0)));
    }

    @Test
    void theRowsOfAScenarioAreToldApartByDriverAndSituation() throws JsonProcessingException {
        ComparedFigures figures =
                figures("{'interruptions': [{'mode': 'exactly_once', 'driver': 'durable', 'interruption': 'kill',"
                        + " 'first_new_ms_adaptive': 9, 'live_after_ms_adaptive': 8, 'repeated_events_adaptive': 0}],"
                        + " 'rates': [{'mode': 'at_least_once', 'rate': 5, 'ack_p99_ms_fixed': 7,"
                        + " 'spread': {'ack_p99_ms_fixed': [1, 2]}}]}");
        assertThat(values(figures))
                .containsOnly(
                        entry("interruptions[exactly_once durable kill].first_new_ms_adaptive", 9.0),
                        entry("interruptions[exactly_once durable kill].live_after_ms_adaptive", 8.0),
                        entry("rates[at_least_once 5].ack_p99_ms_fixed", 7.0));
        assertThat(runs(figures, figures("{'rates': [{'mode': 'at_least_once', 'rate': 5, 'ack_p99_ms_fixed': 14}]}")))
                .containsEntry("rates[at_least_once 5].ack_p99_ms_fixed", List.of(0.5));
    }
}
