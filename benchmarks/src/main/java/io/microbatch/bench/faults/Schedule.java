package io.microbatch.bench.faults;

import io.microbatch.bench.faults.Round.Source;
import io.microbatch.bench.load.Delivery;
import io.microbatch.testbed.failpoint.Failpoint;
import java.util.ArrayList;
import java.util.Arrays;
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
    private static final List<Failpoint> IN_OUTBOX = List.of(
            Failpoint.IN_OUTBOX_START,
            Failpoint.IN_OUTBOX_PAGE,
            Failpoint.BEFORE_OUTBOX_DELETE,
            Failpoint.AFTER_OUTBOX_DELETE);

    /** Between the hand-over of a request and its answer. */
    private static final List<Failpoint> ON_THE_WAY = List.of(
            Failpoint.AFTER_RING_PUBLISH,
            Failpoint.MID_DRAIN,
            Failpoint.BEFORE_POLL_RETURNS,
            Failpoint.BEFORE_TRANSACTION_COMMIT,
            Failpoint.AFTER_TRANSACTION_COMMIT,
            Failpoint.ENTRY_OF_COMMIT_RECORD,
            Failpoint.AFTER_SETTLE);

    private static final int RANDOM_KILLS_A_ROUND = 10;
    private static final int DATABASE_KILLS_A_ROUND = 10;
    private static final int BROKER_KILLS_A_ROUND = 5;

    private static final int KEYED_WORKER_KILLS = 100;
    private static final int KEYED_BROKER_KILLS = 10;

    private final Random random;

    private Schedule(long seed) {
        random = new Random(seed);
    }

    /** For every push: both modes and every kind of upstream, and the most informative fault of each group. */
    static List<Round> quick(long seed) {
        Schedule schedule = new Schedule(seed);
        List<Fault> first =
                faults(FaultKind.WORKER_KILL, FaultKind.BROKER_KILL, FaultKind.NET_ANSWERS_LOST, FaultKind.TASKS_4_1_4);
        first.add(Fault.killAt(Failpoint.MID_DRAIN));
        List<Fault> second = faults(
                FaultKind.WORKER_FREEZE_LONG,
                FaultKind.BROKER_FREEZE_LONG,
                FaultKind.NET_CUT,
                FaultKind.PAUSE,
                FaultKind.DELETE_AND_CREATE);
        second.add(Fault.killAt(Failpoint.BEFORE_TRANSACTION_COMMIT));
        List<Fault> hosted = faults(FaultKind.WORKER_KILL, FaultKind.POSTGRES_CUT);
        hosted.add(Fault.killAt(Failpoint.BEFORE_UPSTREAM_CONFIRMED));
        List<Fault> atLeastOnce = faults(
                FaultKind.WORKER_KILL,
                FaultKind.BROKER_KILL,
                FaultKind.WORKER_FREEZE_SHORT,
                FaultKind.NET_RESET,
                FaultKind.STOP,
                FaultKind.WORKER_LEAVES_AND_COMES);
        atLeastOnce.add(Fault.killAt(Failpoint.ENTRY_OF_COMMIT_RECORD));
        List<Fault> keyed =
                faults(FaultKind.WORKER_KILL, FaultKind.BROKER_KILL, FaultKind.NET_ANSWERS_LOST, FaultKind.TASKS_4_1_4);
        keyed.addAll(killsAt(IN_TRANSACTIONS));
        List<Fault> unkeyed = faults(FaultKind.WORKER_KILL, FaultKind.WORKER_FREEZE_SHORT, FaultKind.PAUSE);
        List<Fault> stopped = faults(FaultKind.BROKERS_STOPPED_LONG);
        List<Fault> outbox = faults(FaultKind.WORKER_KILL, FaultKind.POSTGRES_KILL, FaultKind.BROKER_FREEZE_LONG);
        outbox.add(Fault.killAt(Failpoint.BEFORE_OUTBOX_DELETE));
        List<Fault> file = faults(FaultKind.WORKER_KILL, FaultKind.NET_BLACK_HOLE);
        return List.of(
                schedule.round(Delivery.EXACTLY_ONCE, Source.SYNTHETIC, first),
                schedule.round(Delivery.EXACTLY_ONCE, Source.SYNTHETIC, second),
                schedule.round(Delivery.EXACTLY_ONCE, Source.POSTGRES, hosted),
                schedule.round(Delivery.EXACTLY_ONCE, Source.HTTP, keyed),
                schedule.round(Delivery.EXACTLY_ONCE, Source.HTTP_BATCHES, killsAt(ON_THE_WAY)),
                schedule.round(Delivery.EXACTLY_ONCE, Source.HTTP_UNKEYED, unkeyed),
                schedule.round(Delivery.EXACTLY_ONCE, Source.HTTP_UNKEYED, stopped),
                schedule.round(Delivery.EXACTLY_ONCE, Source.OUTBOX, outbox),
                new Round(Delivery.EXACTLY_ONCE, Source.SYNTHETIC, List.of(), true),
                schedule.round(Delivery.AT_LEAST_ONCE, Source.SYNTHETIC, atLeastOnce),
                schedule.round(Delivery.AT_LEAST_ONCE, Source.FILE, file),
                schedule.round(Delivery.AT_LEAST_ONCE, Source.HTTP_UNKEYED, faults(FaultKind.WORKER_KILL)),
                schedule.round(Delivery.AT_LEAST_ONCE, Source.OUTBOX, faults(FaultKind.WORKER_KILL)),
                schedule.round(Delivery.AT_LEAST_ONCE, Source.POSTGRES, faults(FaultKind.POSTGRES_KILL)));
    }

    /** Everything to every kind of upstream, then as many kills as asked for. Half of all in each mode. */
    static List<Round> full(long seed, int workerKills, int brokerKills) {
        Schedule schedule = new Schedule(seed);
        List<Round> rounds = new ArrayList<>();
        for (Delivery mode : Delivery.values()) {
            List<Round> ofMode = new ArrayList<>();
            ofMode.add(new Round(mode, Source.SYNTHETIC, List.of(), true));
            for (Source source : Source.values()) {
                ofMode.add(schedule.round(mode, source, everything(mode, source)));
            }
            while (kills(ofMode, Schedule::workersKilled) * 2 < workerKills) {
                ofMode.add(schedule.round(mode, Source.SYNTHETIC, workerKills(mode)));
            }
            while (kills(ofMode, Schedule::brokersKilled) * 2 < brokerKills) {
                ofMode.add(schedule.round(mode, Source.SYNTHETIC, brokerKills()));
            }
            if (mode == Delivery.EXACTLY_ONCE) {
                ofMode.addAll(schedule.killsWithKeys());
                ofMode.add(schedule.round(mode, Source.OUTBOX, workerKills(mode)));
                ofMode.add(schedule.round(mode, Source.OUTBOX, brokerKills()));
                ofMode.add(schedule.round(mode, Source.OUTBOX, databaseKills()));
            }
            ofMode.add(schedule.round(mode, Source.HTTP_UNKEYED, faults(FaultKind.BROKERS_STOPPED_LONG)));
            rounds.addAll(ofMode);
        }
        return rounds;
    }

    /** What clients with keys are promised needs as many kills as the rest. */
    private List<Round> killsWithKeys() {
        List<Round> rounds = new ArrayList<>();
        while (kills(rounds, Schedule::workersKilled) < KEYED_WORKER_KILLS) {
            rounds.add(round(Delivery.EXACTLY_ONCE, Source.HTTP, workerKills(Delivery.EXACTLY_ONCE)));
        }
        while (kills(rounds, Schedule::brokersKilled) < KEYED_BROKER_KILLS) {
            rounds.add(round(Delivery.EXACTLY_ONCE, Source.HTTP, brokerKills()));
        }
        return rounds;
    }

    private static List<Fault> brokerKills() {
        List<Fault> faults = faults(FaultKind.WORKER_KILL);
        faults.addAll(Collections.nCopies(BROKER_KILLS_A_ROUND, Fault.of(FaultKind.BROKER_KILL)));
        return faults;
    }

    private static List<Fault> databaseKills() {
        List<Fault> faults = faults(FaultKind.WORKER_KILL);
        faults.addAll(Collections.nCopies(DATABASE_KILLS_A_ROUND, Fault.of(FaultKind.POSTGRES_KILL)));
        return faults;
    }

    private static List<Fault> faults(FaultKind... kinds) {
        return new ArrayList<>(Arrays.stream(kinds).map(Fault::of).toList());
    }

    private static int kills(List<Round> rounds, ToIntFunction<Fault> killed) {
        return rounds.stream()
                .flatMap(round -> round.faults().stream())
                .mapToInt(killed)
                .sum();
    }

    private static int workersKilled(Fault fault) {
        if (fault.kind() == FaultKind.BOTH_WORKERS_KILL) {
            return 2;
        }
        return fault.kind() == FaultKind.WORKER_KILL || fault.point() != null ? 1 : 0;
    }

    private static int brokersKilled(Fault fault) {
        return fault.kind() == FaultKind.BROKER_KILL ? 1 : 0;
    }

    private static List<Fault> workerKills(Delivery mode) {
        List<Fault> faults = faults(FaultKind.BOTH_WORKERS_KILL);
        faults.addAll(Collections.nCopies(RANDOM_KILLS_A_ROUND, Fault.of(FaultKind.WORKER_KILL)));
        faults.addAll(killsAt(ANYWHERE));
        faults.addAll(mode == Delivery.EXACTLY_ONCE ? killsAt(IN_TRANSACTIONS) : List.of());
        return faults;
    }

    private static List<Fault> killsAt(List<Failpoint> points) {
        return points.stream().map(Fault::killAt).toList();
    }

    /** All but what ends brokers, which takes a round of its own: {@link Round#transactionTimeoutMs(int)}. */
    private static List<Fault> everything(Delivery mode, Source source) {
        List<Fault> faults = faults(FaultKind.WORKER_KILL, FaultKind.WORKER_KILL);
        for (FaultKind kind : FaultKind.values()) {
            boolean possible = switch (kind) {
                case WORKER_KILL_AT, BROKER_KILL, BROKERS_STOPPED_LONG -> false;
                case POSTGRES_KILL, POSTGRES_CUT, POSTGRES_BLACK_HOLE -> source.hasDatabase();
                // The others have one task only.
                case TASKS_4_1_4 -> source.hasSeveralTasks();
                default -> true;
            };
            if (possible) {
                faults.add(Fault.of(kind));
            }
        }
        faults.addAll(killsAt(ANYWHERE));
        faults.addAll(killsAt(inUpstream(source)));
        faults.addAll(mode == Delivery.EXACTLY_ONCE ? killsAt(IN_TRANSACTIONS) : List.of());
        return faults;
    }

    private static List<Failpoint> inUpstream(Source source) {
        return switch (source) {
            case SYNTHETIC -> IN_GENERATOR;
            case FILE, POSTGRES -> IN_HOSTED;
            case OUTBOX -> IN_OUTBOX;
            // Its reader has no points of its own: the ones of the task surround it.
            case HTTP, HTTP_BATCHES, HTTP_UNKEYED -> List.of();
        };
    }

    private Round round(Delivery mode, Source source, List<Fault> faults) {
        List<Fault> shuffled = new ArrayList<>(faults);
        Collections.shuffle(shuffled, random);
        return new Round(mode, source, List.copyOf(shuffled), false);
    }
}
