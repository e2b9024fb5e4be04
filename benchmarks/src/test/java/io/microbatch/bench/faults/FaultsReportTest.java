package io.microbatch.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.faults.Round.Source;
import io.microbatch.bench.load.Delivery;
import io.microbatch.testbed.oracle.Findings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class FaultsReportTest {

    private static final Findings CLEAN = new Findings(10, 0, 0, 0, 0, 0, 0, 0, 0, List.of());
    private static final Findings REPEATED = new Findings(10, 0, 0, 4, 0, 0, 0, 4, 900, List.of(0));
    private static final Findings BUGGY = new Findings(10, 1, 0, 1, 1, 0, 1, 1, 5, List.of(0));

    @Test
    void isVerifiedOnlyIfEveryPromiseHeldAndNoJvmDied() {
        RoundResult once = round(Delivery.EXACTLY_ONCE, false, CLEAN, "");
        RoundResult atLeast = round(Delivery.AT_LEAST_ONCE, false, REPEATED, "");

        assertThat(report(once, atLeast).isVerified()).isTrue();
        assertThat(report(round(Delivery.EXACTLY_ONCE, false, REPEATED, "")).isVerified())
                .isFalse();
        assertThat(report(round(Delivery.AT_LEAST_ONCE, false, BUGGY, "")).isVerified())
                .isFalse();
        assertThat(report(round(Delivery.EXACTLY_ONCE, false, CLEAN, "stuck")).isVerified())
                .isFalse();
        assertThat(new FaultsReport(1, List.of(once), List.of(Path.of("hs_err_pid1.log")), true, 1).isVerified())
                .isFalse();
        assertThat(new FaultsReport(1, List.of(once), List.of(), false, 1).isVerified())
                .isFalse();
    }

    @Test
    void isNotVerifiedIfARepetitionIsLongerThanTheWindow() {
        Findings longer = new Findings(10, 0, 0, 4, 0, 0, 0, 4, 7_001, List.of(0));

        assertThat(report(round(Delivery.AT_LEAST_ONCE, false, longer, "")).isVerified())
                .isFalse();
    }

    @Test
    void demandsThatPlantedBugsAreSeenAndDoesNotCountThem() {
        FaultsReport seen = report(round(Delivery.EXACTLY_ONCE, true, BUGGY, ""));

        assertThat(seen.isVerified()).isTrue();
        assertThat(seen.toJson().get("exactly_once").toString()).contains("lost=0");
        assertThat(report(round(Delivery.EXACTLY_ONCE, true, CLEAN, "")).isVerified())
                .isFalse();
        assertThat(seen.toJson()).containsEntry("planted_bugs_seen", true);
        assertThat(report(round(Delivery.EXACTLY_ONCE, false, CLEAN, "")).toJson())
                .as("none was planted")
                .containsEntry("planted_bugs_seen", null);
    }

    @Test
    void demandsThatEachKindOfPlantedBugIsSeen() {
        for (Findings allButOne : List.of(
                new Findings(10, 0, 0, 1, 1, 0, 1, 1, 5, List.of(0)),
                new Findings(10, 1, 0, 0, 1, 0, 1, 1, 5, List.of(0)),
                new Findings(10, 1, 0, 1, 0, 0, 1, 1, 5, List.of(0)),
                new Findings(10, 1, 0, 1, 1, 0, 0, 1, 5, List.of(0)))) {
            assertThat(report(round(Delivery.EXACTLY_ONCE, true, allButOne, "")).isVerified())
                    .as("%s", allButOne)
                    .isFalse();
        }
    }

    @Test
    void sumsUpRecoveriesAndKills() {
        Map<String, Object> json =
                report(round(Delivery.EXACTLY_ONCE, false, CLEAN, "")).toJson();

        assertThat(json)
                .containsEntry("worker_kills", 1)
                .containsEntry("recovery_ms_p50", 1_200L)
                .containsEntry("bound_95_per_worker_kill", 3.0);
        assertThat(json.get("exactly_once"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("worker_kills", 1)
                .containsEntry("bound_95_per_worker_kill", 3.0);
        assertThat(json.get("at_least_once"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("worker_kills", 0)
                .containsEntry("bound_95_per_worker_kill", null);
    }

    @Test
    void saysWhatItDidToKafka() {
        FaultsReport report = report(round(Delivery.EXACTLY_ONCE, false, CLEAN, ""));
        StringWriter printed = new StringWriter();
        report.print(new PrintWriter(printed));

        assertThat(report.toJson()).containsEntry("interventions", List.of("r: the worker was restarted"));
        assertThat(printed.toString()).contains("intervened: r: the worker was restarted");
    }

    @Test
    void countsNoRecoveryWhereNothingWasKilled() {
        FaultResult missed = new FaultResult(Fault.of(FaultKind.WORKER_KILL), false, 0, 20_000, 0, 0, 0, Map.of());
        RoundResult round = new RoundResult(
                new Round(Delivery.EXACTLY_ONCE, Source.SYNTHETIC, List.of(missed.fault()), false),
                "r",
                CLEAN,
                Optional.empty(),
                Optional.empty(),
                0,
                7_000,
                List.of(missed),
                List.of(),
                "");

        assertThat(report(round).toJson())
                .containsEntry("recovery_ms_p99", 0L)
                .containsEntry("worker_kills", 0)
                .containsEntry("not_reached", 1L);
    }

    @Test
    void sumsUpWhatClientsWereToldByModeAndDemandsThatNoAnswerWasFalse() {
        RoundResult good = clients(Delivery.EXACTLY_ONCE, new HttpResult(10, 2, 1, 0, 0, 0, 0, 0, 0));
        RoundResult bad = clients(Delivery.EXACTLY_ONCE, new HttpResult(20, 0, 0, 0, 0, 0, 1, 0, 0));
        RoundResult atLeast = clients(Delivery.AT_LEAST_ONCE, new HttpResult(5, 0, 3, 0, 0, 0, 0, 0, 0));

        assertThat(report(good, atLeast).isVerified()).isTrue();
        assertThat(report(good, bad).isVerified()).isFalse();
        assertThat(report(good, bad, atLeast).toJson().get("http"))
                .isEqualTo(Map.of(
                        "acked_lost", 0L,
                        "acked_duplicated", 0L,
                        "other_duplicated", 0L,
                        "refused_present", 1L,
                        "torn", 0L,
                        "hung", 0L,
                        "ok", 30L,
                        "not_written", 2L,
                        "unknown", 1L,
                        "at_least_once", new HttpResult(5, 0, 3, 0, 0, 0, 0, 0, 0).toJson()));
        assertThat(report(round(Delivery.EXACTLY_ONCE, false, CLEAN, "")).toJson())
                .doesNotContainKey("http");
    }

    @Test
    void demandsThatNoTransactionIsTorn() {
        HttpResult torn = new HttpResult(10, 0, 1, 0, 0, 0, 0, 1, 0);
        assertThat(report(clients(Delivery.EXACTLY_ONCE, torn)).isVerified()).isFalse();
        assertThat(report(clients(Delivery.AT_LEAST_ONCE, torn)).isVerified()).isTrue();
    }

    @Test
    void demandsThatNoEventOfAnUnknownOutcomeIsThereTwice() {
        HttpResult twice = new HttpResult(10, 0, 1, 0, 0, 1, 0, 0, 0);
        assertThat(report(clients(Delivery.EXACTLY_ONCE, twice)).isVerified()).isFalse();
        assertThat(report(clients(Delivery.AT_LEAST_ONCE, twice)).isVerified()).isTrue();
    }

    @Test
    void sumsUpOutboxesByModeAndDemandsNothingMissedRepeatedOrInverted() {
        RoundResult good = outbox(Delivery.EXACTLY_ONCE, CLEAN);
        RoundResult inverted = outbox(Delivery.EXACTLY_ONCE, new Findings(10, 0, 0, 0, 3, 0, 0, 0, 0, List.of(1)));
        RoundResult missed = outbox(Delivery.EXACTLY_ONCE, new Findings(10, 2, 0, 0, 0, 0, 0, 0, 0, List.of(1)));
        RoundResult present = outbox(Delivery.AT_LEAST_ONCE, new Findings(10, 0, 0, 4, 0, 1, 0, 4, 900, List.of(1)));
        RoundResult repeated = outbox(Delivery.AT_LEAST_ONCE, REPEATED);

        assertThat(report(good, repeated).isVerified()).isTrue();
        for (RoundResult bad : List.of(inverted, missed, present, outbox(Delivery.EXACTLY_ONCE, REPEATED))) {
            assertThat(report(good, bad).isVerified()).as("%s", bad.outbox()).isFalse();
        }
        Map<String, Object> expected = new HashMap<>(ofOutbox(30, 2, 0, 3, 0, 3));
        expected.put("at_least_once", ofOutbox(10, 0, 4, 0, 1, 1));
        assertThat(report(good, inverted, missed, present).toJson().get("outbox"))
                .isEqualTo(expected);
        assertThat(report(round(Delivery.EXACTLY_ONCE, false, CLEAN, "")).toJson())
                .doesNotContainKey("outbox");
    }

    private static Map<String, Object> ofOutbox(
            long rows, long missed, long repeated, long inversions, long present, long rounds) {
        return Map.of(
                "missed", missed,
                "repeated", repeated,
                "inversions", inversions,
                "rolled_back_present", present,
                "rows", rows,
                "transactions_committed", 7 * rounds,
                "transactions_rolled_back", 4 * rounds,
                "transactions_prepared", 3 * rounds,
                "transactions_late", 2 * rounds,
                "transactions_cut", rounds);
    }

    private static RoundResult outbox(Delivery mode, Findings found) {
        OutboxResult outbox = OutboxResult.of(found, new OutboxResult.Transactions(7, 4, 3, 2, 1));
        Round round = new Round(mode, Source.OUTBOX, List.of(), false);
        return new RoundResult(
                round, "r", found, Optional.empty(), Optional.of(outbox), 0, 7_000, List.of(), List.of(), "");
    }

    @Test
    void takesPercentilesFromTheValuesThemselves() {
        assertThat(FaultsReport.percentile(new long[] {5, 1, 3}, 50)).isEqualTo(3);
        assertThat(FaultsReport.percentile(new long[] {5, 1, 3}, 99)).isEqualTo(5);
        assertThat(FaultsReport.percentile(new long[0], 50)).isZero();
    }

    private static FaultsReport report(RoundResult... results) {
        return new FaultsReport(1, List.of(results), List.of(), true, 1);
    }

    private static RoundResult clients(Delivery mode, HttpResult http) {
        Round round = new Round(mode, Source.HTTP_UNKEYED, List.of(), false);
        return new RoundResult(
                round, "r", CLEAN, Optional.of(http), Optional.empty(), 0, 7_000, List.of(), List.of(), "");
    }

    private static RoundResult round(Delivery mode, boolean planted, Findings findings, String problem) {
        Fault kill = Fault.of(FaultKind.WORKER_KILL);
        FaultResult fault = new FaultResult(kill, true, 0, 1_200, 1, 0, 0, Map.of());
        return new RoundResult(
                new Round(mode, Source.SYNTHETIC, List.of(kill), planted),
                "r",
                findings,
                Optional.empty(),
                Optional.empty(),
                0,
                7_000,
                List.of(fault),
                List.of("the worker was restarted"),
                problem);
    }
}
