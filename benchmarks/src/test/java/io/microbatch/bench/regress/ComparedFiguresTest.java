package io.microbatch.bench.regress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparedFiguresTest {

    private static ComparedFigures figures(String text) throws JsonProcessingException {
        return ComparedFigures.of(new ObjectMapper().readTree(text.replace('\'', '"')));
    }

    @Test
    void aHigherRateAndALowerLatencyAreBetter() throws JsonProcessingException {
        ComparedFigures stored = figures("{'plain': {'backlog_per_s': 100, 'p99_ms_50': 10, 'cpu_s_per_million': 40}}");
        ComparedFigures fresh = figures("{'plain': {'backlog_per_s': 150, 'p99_ms_50': 20, 'cpu_s_per_million': 20}}");
        assertThat(stored.ratios(List.of(fresh)))
                .containsOnly(
                        entry("plain.backlog_per_s", List.of(1.5)),
                        entry("plain.p99_ms_50", List.of(0.5)),
                        entry("plain.cpu_s_per_million", List.of(2.0)));
    }

    @Test
    void theFiguresOfRivalsShowHowFastTheMachineIs() throws JsonProcessingException {
        ComparedFigures stored = figures("{'eo': {'naive': 10, 'interval_20': 100, 'adaptive': 200, 'fixed': 100}}");
        ComparedFigures fresh = figures("{'eo': {'naive': 7, 'interval_20': 50, 'adaptive': 90, 'fixed': 10}}");
        Map<String, List<Double>> ratios = stored.ratios(List.of(fresh));

        assertThat(ComparedFigures.speed(ratios, List.of("naive", "interval_"))).isCloseTo(0.6, within(1e-9));
        assertThat(ComparedFigures.speed(ratios, List.of("producer"))).isNaN();
    }

    @Test
    void whatWasAskedForOrChosenIsNoFigure() throws JsonProcessingException {
        ComparedFigures figures =
                figures("{'verified': true, 'exactly_once': {'naive': 5, 'spread': {'naive': [4, 6]}},"
                        + " 'rates': [{'rate': 50, 'budget_ms': 5, 'adaptive': {'capacity': 7, 'linger_ms': 3}}],"
                        + " 'tuned': {'each_round': [{'p99_ms_50': 3}]}, 'goals': {'adaptive': {'p99_ms_50': 4}},"
                        + " 'settings': {'tuned': {'backlog_per_s': 5}}, 'environment': {'processors': 2}}");
        assertThat(figures.values())
                .containsOnly(entry("exactly_once.naive", 5.0), entry("rates[50].adaptive.capacity", 7.0));
    }

    @Test
    void elementsAreFoundByWhatTheyAreCalledAndNotByTheirPlace() throws JsonProcessingException {
        ComparedFigures stored =
                figures("{'modes': [{'name': 'a', 'sustained_per_s': 10}, {'name': 'b', 'sustained_per_s': 1}]}");
        ComparedFigures fresh = figures("{'modes': [{'name': 'b', 'sustained_per_s': 2}]}");
        assertThat(stored.ratios(List.of(fresh)))
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
        assertThat(figures.values())
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
        assertThat(figures.values())
                .containsOnly(
                        entry("rates[20].contenders.default.p99_ms", 15.0),
                        entry("rates[20].contenders.default.cpu_s_per_million", 7.0));
    }

    @Test
    void theCellsOfHttpAreToldApart() throws JsonProcessingException {
        assertThat(figures("{'contenders': [{'name': 'http', 'mode': 'eo', 'cell': 'closed-256', 'per_s': 9},"
                                + " {'name': 'http', 'mode': 'eo', 'cell': 'rate-1000', 'per_s': 5,"
                                + " 'transactions_per_s': 4}]}")
                        .values())
                .containsOnly(
                        entry("contenders[eo http closed-256].per_s", 9.0),
                        entry("contenders[eo http rate-1000].per_s", 5.0));
    }

    @Test
    void lessProcessorOfAnIdleTaskIsBetter() throws JsonProcessingException {
        assertThat(figures("{'idle_cpu_ms_per_s': 2}").ratios(List.of(figures("{'idle_cpu_ms_per_s': 1}"))))
                .containsOnly(entry("idle_cpu_ms_per_s", List.of(2.0)));
    }

    @Test
    void severalRunsAreInOrder() throws JsonProcessingException {
        ComparedFigures stored = figures("{'up_ms': 0}");
        assertThat(stored.ratios(
                        List.of(figures("{'up_ms': 400}"), figures("{'up_ms': 200}"), figures("{'up_ms': 0}"))))
                .containsOnly(entry("up_ms", List.of(0.25, 0.5, 1.0)));
    }

    @Test
    void theRowsOfAScenarioAreToldApartByDriverAndSituation() throws JsonProcessingException {
        ComparedFigures figures =
                figures("{'interruptions': [{'mode': 'exactly_once', 'driver': 'durable', 'interruption': 'kill',"
                        + " 'first_new_ms_adaptive': 9, 'live_after_ms_adaptive': 8, 'repeated_events_adaptive': 0}],"
                        + " 'rates': [{'mode': 'at_least_once', 'rate': 5, 'ack_p99_ms_fixed': 7,"
                        + " 'spread': {'ack_p99_ms_fixed': [1, 2]}}]}");
        assertThat(figures.values())
                .containsOnly(
                        entry("interruptions[exactly_once durable kill].first_new_ms_adaptive", 9.0),
                        entry("interruptions[exactly_once durable kill].live_after_ms_adaptive", 8.0),
                        entry("rates[at_least_once 5].ack_p99_ms_fixed", 7.0));
        assertThat(figures.ratios(List.of(
                        figures("{'rates': [{'mode': 'at_least_once', 'rate': 5," + " 'ack_p99_ms_fixed': 14}]}"))))
                .containsEntry("rates[at_least_once 5].ack_p99_ms_fixed", List.of(0.5));
    }
}
