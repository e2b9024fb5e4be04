package io.microbatch.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.faults.Round.Source;
import io.microbatch.bench.load.Delivery;
import io.microbatch.testbed.failpoint.Failpoint;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScheduleTest {

    @Test
    void isTheSameForTheSameSeedAndAnotherForAnother() {
        assertThat(Schedule.quick(3)).isEqualTo(Schedule.quick(3));
        assertThat(Schedule.quick(3)).isNotEqualTo(Schedule.quick(4));
    }

    @Test
    void showsTheOracleEveryModeAndUpstreamAndPlantedBugsEvenWhenQuick() {
        List<Round> rounds = Schedule.quick(1);

        assertThat(rounds).extracting(Round::mode).contains(Delivery.EXACTLY_ONCE, Delivery.AT_LEAST_ONCE);
        assertThat(rounds).extracting(Round::source).contains(Source.values());
        assertThat(rounds).anyMatch(Round::planted);
    }

    @Test
    void killsAsOftenAsAFullRunPromises() {
        List<Fault> faults = Schedule.full(1, 200, 30).stream()
                .flatMap(round -> round.faults().stream())
                .toList();

        assertThat(faults.stream()
                        .filter(fault -> fault.kind() == FaultKind.WORKER_KILL || fault.point() != null)
                        .count())
                .isGreaterThan(150);
        assertThat(faults.stream().filter(fault -> fault.kind() == FaultKind.BROKER_KILL))
                .hasSizeGreaterThanOrEqualTo(30);
    }

    @Test
    void doesNotKillADatabaseThatIsNotThere() {
        assertThat(Schedule.full(1, 200, 30))
                .filteredOn(round -> !round.source().hasDatabase())
                .flatExtracting(Round::faults)
                .extracting(Fault::kind)
                .doesNotContain(FaultKind.POSTGRES_KILL, FaultKind.POSTGRES_CUT, FaultKind.POSTGRES_BLACK_HOLE);
    }

    @Test
    void killsAsOftenUnderClientsWithKeysAsAFullRunPromises() {
        List<Fault> faults = Schedule.full(1, 200, 30).stream()
                .filter(round -> round.mode() == Delivery.EXACTLY_ONCE && round.source() == Source.HTTP)
                .flatMap(round -> round.faults().stream())
                .toList();

        assertThat(faults.stream()
                        .filter(fault -> fault.kind() == FaultKind.WORKER_KILL || fault.point() != null)
                        .count())
                .isGreaterThanOrEqualTo(90);
        assertThat(faults.stream().filter(fault -> fault.kind() == FaultKind.BROKER_KILL))
                .hasSizeGreaterThanOrEqualTo(10);
        assertThat(faults).contains(Fault.of(FaultKind.TASKS_4_1_4));
    }

    @Test
    void killsWorkersBetweenHandOverAndAnswerOfLargeRequests() {
        assertThat(Schedule.quick(1))
                .filteredOn(round -> round.source() == Source.HTTP_BATCHES)
                .flatExtracting(Round::faults)
                .contains(
                        Fault.killAt(Failpoint.AFTER_RING_PUBLISH),
                        Fault.killAt(Failpoint.BEFORE_TRANSACTION_COMMIT),
                        Fault.killAt(Failpoint.AFTER_TRANSACTION_COMMIT));
    }

    @Test
    void aTransactionOutlivesALoneBrokerThatIsStopped() {
        assertThat(Schedule.quick(1))
                .filteredOn(round -> round.faults().contains(Fault.of(FaultKind.BROKERS_STOPPED_LONG)))
                .isNotEmpty()
                .allSatisfy(round -> assertThat(round.transactionTimeoutMs(1)).isGreaterThan(20_000));
    }

    @Test
    void killsEverythingAroundAnOutboxInAFullRun() {
        List<Fault> faults = Schedule.full(1, 200, 30).stream()
                .filter(round -> round.mode() == Delivery.EXACTLY_ONCE && round.source() == Source.OUTBOX)
                .flatMap(round -> round.faults().stream())
                .toList();

        assertThat(faults)
                .filteredOn(fault -> fault.kind() == FaultKind.POSTGRES_KILL)
                .hasSizeGreaterThan(10);
        assertThat(faults)
                .filteredOn(fault -> fault.kind() == FaultKind.WORKER_KILL)
                .hasSizeGreaterThan(10);
        assertThat(faults)
                .filteredOn(fault -> fault.kind() == FaultKind.BROKER_KILL)
                .hasSize(5);
        assertThat(faults)
                .contains(
                        Fault.of(FaultKind.BROKER_FREEZE_LONG),
                        Fault.killAt(Failpoint.BEFORE_OUTBOX_DELETE),
                        Fault.killAt(Failpoint.IN_OUTBOX_PAGE));
    }

    @Test
    void asksForExactlyOnceOnlyWhereTheUpstreamCanBeReadAgain() {
        assertThat(Source.values())
                .filteredOn(Source::canBeReadAgain)
                .containsExactly(Source.SYNTHETIC, Source.FILE, Source.POSTGRES, Source.OUTBOX);
    }
}
