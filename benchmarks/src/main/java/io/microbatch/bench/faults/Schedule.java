package io.microbatch.bench.faults;

import static io.microbatch.bench.faults.FaultKind.BOTH_WORKERS_KILL;
import static io.microbatch.bench.faults.FaultKind.BROKER_FREEZE_LONG;
import static io.microbatch.bench.faults.FaultKind.BROKER_FREEZE_SHORT;
import static io.microbatch.bench.faults.FaultKind.BROKER_KILL;
import static io.microbatch.bench.faults.FaultKind.DELETE_AND_CREATE;
import static io.microbatch.bench.faults.FaultKind.NET_ANSWERS_LOST;
import static io.microbatch.bench.faults.FaultKind.NET_BLACK_HOLE;
import static io.microbatch.bench.faults.FaultKind.NET_CUT;
import static io.microbatch.bench.faults.FaultKind.NET_DELAY;
import static io.microbatch.bench.faults.FaultKind.NET_HALF_CLOSE;
import static io.microbatch.bench.faults.FaultKind.NET_RESET;
import static io.microbatch.bench.faults.FaultKind.PAUSE;
import static io.microbatch.bench.faults.FaultKind.POSTGRES_BLACK_HOLE;
import static io.microbatch.bench.faults.FaultKind.POSTGRES_CUT;
import static io.microbatch.bench.faults.FaultKind.POSTGRES_KILL;
import static io.microbatch.bench.faults.FaultKind.RESTART;
import static io.microbatch.bench.faults.FaultKind.STOP;
import static io.microbatch.bench.faults.FaultKind.TASKS_4_1_4;
import static io.microbatch.bench.faults.FaultKind.WORKER_FREEZE_LONG;
import static io.microbatch.bench.faults.FaultKind.WORKER_FREEZE_SHORT;
import static io.microbatch.bench.faults.FaultKind.WORKER_KILL;
import static io.microbatch.bench.faults.FaultKind.WORKER_LEAVES_AND_COMES;

import io.microbatch.bench.faults.Round.Source;
import io.microbatch.testbed.failpoint.Failpoint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.ToIntFunction;

/** Which faults in which order: the seed shuffles within a round, so that the same seed is the same schedule. */
final class Schedule {

    private static final List<Failpoint> ANYWHERE = List.of(
            Failpoint.AFTER_RING_PUBLISH,
            Failpoint.MID_DRAIN,
            Failpoint.BEFORE_POLL_RETURNS,
            Failpoint.NEXT_POLL_ENTRY,
            Failpoint.ENTRY_OF_COMMIT_RECORD,
            Failpoint.AFTER_SETTLE,
            Failpoint.IN_COMMIT,
            Failpoint.BEFORE_SQLITE_COMMIT,
            Failpoint.AFTER_SQLITE_COMMIT,
            Failpoint.IN_STOP,
            Failpoint.IN_TASK_START);
    private static final List<Failpoint> IN_TRANSACTIONS =
            List.of(Failpoint.BEFORE_TRANSACTION_COMMIT, Failpoint.AFTER_TRANSACTION_COMMIT);
    private static final List<Failpoint> IN_GENERATOR = List.of(Failpoint.IN_READER_START);
    private static final List<Failpoint> IN_HOSTED = List.of(
            Failpoint.IN_HOSTED_START,
            Failpoint.IN_HOSTED_POLL,
            Failpoint.BEFORE_UPSTREAM_CONFIRMED,
            Failpoint.AFTER_UPSTREAM_CONFIRMED);

    private static final int RANDOM_KILLS_A_ROUND = 10;
    private static final int BROKER_KILLS_A_ROUND = 5;

    private final Random random;

    private Schedule(long seed) {
        random = new Random(seed);
    }

    /** For every push: both modes and every kind of upstream, and of each group of faults the one that tells most. */
    static List<Round> quick(long seed) {
        Schedule schedule = new Schedule(seed);
        return List.of(
                schedule.round(
                        Mode.EXACTLY_ONCE,
                        Source.SYNTHETIC,
                        Fault.of(WORKER_KILL),
                        Fault.of(BROKER_KILL),
                        Fault.killAt(Failpoint.MID_DRAIN),
                        Fault.of(NET_ANSWERS_LOST),
                        Fault.of(TASKS_4_1_4)),
                schedule.round(
                        Mode.EXACTLY_ONCE,
                        Source.SYNTHETIC,
                        Fault.of(WORKER_FREEZE_LONG),
                        Fault.of(BROKER_FREEZE_LONG),
                        Fault.killAt(Failpoint.BEFORE_TRANSACTION_COMMIT),
                        Fault.of(NET_CUT),
                        Fault.of(PAUSE),
                        Fault.of(DELETE_AND_CREATE)),
                schedule.round(
                        Mode.EXACTLY_ONCE,
                        Source.POSTGRES,
                        Fault.of(WORKER_KILL),
                        Fault.killAt(Failpoint.BEFORE_UPSTREAM_CONFIRMED),
                        Fault.of(POSTGRES_CUT)),
                new Round(Mode.EXACTLY_ONCE, Source.SYNTHETIC, List.of(), true),
                schedule.round(
                        Mode.AT_LEAST_ONCE,
                        Source.SYNTHETIC,
                        Fault.of(WORKER_KILL),
                        Fault.killAt(Failpoint.ENTRY_OF_COMMIT_RECORD),
                        Fault.of(BROKER_KILL),
                        Fault.of(WORKER_FREEZE_SHORT),
                        Fault.of(NET_RESET),
                        Fault.of(STOP),
                        Fault.of(WORKER_LEAVES_AND_COMES)),
                schedule.round(Mode.AT_LEAST_ONCE, Source.FILE, Fault.of(WORKER_KILL), Fault.of(NET_BLACK_HOLE)),
                schedule.round(Mode.AT_LEAST_ONCE, Source.POSTGRES, Fault.of(POSTGRES_KILL)));
    }

    /** Everything to every kind of upstream, then kills until there were so many; half of all in each mode. */
    static List<Round> full(long seed, int workerKills, int brokerKills) {
        Schedule schedule = new Schedule(seed);
        List<Round> rounds = new ArrayList<>();
        for (Mode mode : Mode.values()) {
            List<Round> ofMode = new ArrayList<>();
            ofMode.add(new Round(mode, Source.SYNTHETIC, List.of(), true));
            for (Source source : Source.values()) {
                ofMode.add(schedule.round(mode, source, everything(mode, source)));
            }
            while (kills(ofMode, Schedule::workersKilled) * 2 < workerKills) {
                ofMode.add(schedule.round(mode, Source.SYNTHETIC, workerKills(mode)));
            }
            while (kills(ofMode, Schedule::brokersKilled) * 2 < brokerKills) {
                List<Fault> faults = new ArrayList<>(Collections.nCopies(BROKER_KILLS_A_ROUND, Fault.of(BROKER_KILL)));
                faults.add(Fault.of(WORKER_KILL));
                ofMode.add(schedule.round(mode, Source.SYNTHETIC, faults));
            }
            rounds.addAll(ofMode);
        }
        return rounds;
    }

    private static int kills(List<Round> rounds, ToIntFunction<Fault> killed) {
        return rounds.stream()
                .flatMap(round -> round.faults().stream())
                .mapToInt(killed)
                .sum();
    }

    private static int workersKilled(Fault fault) {
        if (fault.kind() == BOTH_WORKERS_KILL) {
            return 2;
        }
        return fault.kind() == WORKER_KILL || fault.point() != null ? 1 : 0;
    }

    private static int brokersKilled(Fault fault) {
        return fault.kind() == BROKER_KILL ? 1 : 0;
    }

    private static List<Fault> workerKills(Mode mode) {
        List<Fault> faults = new ArrayList<>(Collections.nCopies(RANDOM_KILLS_A_ROUND, Fault.of(WORKER_KILL)));
        faults.add(Fault.of(BOTH_WORKERS_KILL));
        ANYWHERE.forEach(point -> faults.add(Fault.killAt(point)));
        if (mode == Mode.EXACTLY_ONCE) {
            IN_TRANSACTIONS.forEach(point -> faults.add(Fault.killAt(point)));
        }
        return faults;
    }

    /** All but the broker's kills, which take a round of their own: {@link Round#transactionTimeoutMs(int)}. */
    private static List<Fault> everything(Mode mode, Source source) {
        List<Fault> faults = new ArrayList<>();
        ANYWHERE.forEach(point -> faults.add(Fault.killAt(point)));
        (source == Source.SYNTHETIC ? IN_GENERATOR : IN_HOSTED).forEach(point -> faults.add(Fault.killAt(point)));
        if (mode == Mode.EXACTLY_ONCE) {
            IN_TRANSACTIONS.forEach(point -> faults.add(Fault.killAt(point)));
        }
        for (FaultKind kind : List.of(
                WORKER_KILL,
                WORKER_KILL,
                WORKER_KILL,
                BOTH_WORKERS_KILL,
                WORKER_FREEZE_SHORT,
                WORKER_FREEZE_LONG,
                WORKER_LEAVES_AND_COMES,
                BROKER_FREEZE_SHORT,
                BROKER_FREEZE_LONG,
                NET_CUT,
                NET_RESET,
                NET_HALF_CLOSE,
                NET_DELAY,
                NET_BLACK_HOLE,
                NET_ANSWERS_LOST,
                PAUSE,
                STOP,
                RESTART,
                TASKS_4_1_4,
                DELETE_AND_CREATE)) {
            faults.add(Fault.of(kind));
        }
        if (source == Source.POSTGRES) {
            faults.add(Fault.of(POSTGRES_KILL));
            faults.add(Fault.of(POSTGRES_CUT));
            faults.add(Fault.of(POSTGRES_BLACK_HOLE));
        }
        // One task only: there is nothing to take from it.
        if (source != Source.SYNTHETIC) {
            faults.removeIf(fault -> fault.kind() == TASKS_4_1_4);
        }
        return faults;
    }

    private Round round(Mode mode, Source source, Fault... faults) {
        return round(mode, source, List.of(faults));
    }

    private Round round(Mode mode, Source source, List<Fault> faults) {
        List<Fault> shuffled = new ArrayList<>(faults);
        Collections.shuffle(shuffled, random);
        return new Round(mode, source, List.copyOf(shuffled), false);
    }
}
