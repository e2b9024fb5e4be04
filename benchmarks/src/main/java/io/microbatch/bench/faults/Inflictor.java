package io.microbatch.bench.faults;

import io.microbatch.testbed.Await;
import io.microbatch.testbed.Broker;
import io.microbatch.testbed.BrokerCluster;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.ConnectorStatus;
import io.microbatch.testbed.FaultProxy;
import io.microbatch.testbed.failpoint.Failpoint;
import io.microbatch.testbed.failpoint.FailpointAction;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Does to the arena what a {@link Fault} says, and undoes it. One thread. */
final class Inflictor {

    private static final Duration POINT_LIMIT = Duration.ofSeconds(20);
    private static final Duration STATE_LIMIT = Duration.ofSeconds(60);
    private static final Duration DEATH_LIMIT = Duration.ofSeconds(10);
    private static final long SHORT_FREEZE_MS = 1_500;
    /** Beyond the session of a worker, and beyond the transaction timeout of a round that does not kill the broker. */
    private static final long LONG_FREEZE_MS = 7_000;

    /** Longer than a client waits, and shorter than the transaction timeout of a round that ends a lone broker. */
    private static final long LONG_STOP_MS = 20_000;

    /** Beyond every timeout but the delivery timeout of a producer. Of three brokers, which a full run has. */
    private static final long LONGEST_STOP_MS = 300_000;

    private static final long NET_FAULT_MS = 3_000;

    private final Arena arena;
    private final Feed feed;
    private final SplittableRandom random;
    private final String name;
    private final Map<String, String> config;

    /** Called at the kill, or at the end of the disturbance: events that are made from then on are new. */
    private final Runnable mark;

    /**
     * What happened.
     *
     * @param endedNanos when recovery could begin: at the kill, at the end of the freeze
     * @param outageMs how long nothing could get through because of the fault itself
     */
    record Inflicted(boolean reached, long endedNanos, long outageMs, int workerKills, int brokerKills) {}

    Inflictor(Arena arena, Feed feed, SplittableRandom random, String name, Map<String, String> config, Runnable mark) {
        this.arena = arena;
        this.feed = feed;
        this.random = random;
        this.name = name;
        this.config = config;
        this.mark = mark;
    }

    Inflicted inflict(Fault fault) {
        int victim = arena.hosting(name, random.nextInt(arena.workerCount()));
        ConnectWorker worker = arena.worker(victim);
        return switch (fault.kind()) {
            case WORKER_KILL -> {
                worker.kill();
                long nanos = marked();
                worker.restart();
                yield new Inflicted(true, nanos, 0, 1, 0);
            }
            case WORKER_KILL_AT -> killAt(fault.point());
            case BOTH_WORKERS_KILL -> {
                arena.worker(0).kill();
                arena.worker(1).kill();
                long nanos = marked();
                arena.worker(0).restart();
                arena.worker(1).restart();
                yield new Inflicted(true, nanos, 0, 2, 0);
            }
            case WORKER_FREEZE_SHORT -> workerFrozen(SHORT_FREEZE_MS, worker);
            case WORKER_FREEZE_LONG -> workerFrozen(LONG_FREEZE_MS, worker);
            case WORKER_LEAVES_AND_COMES -> ended(worker::restart);
            case BROKER_KILL -> {
                Broker broker = anyBroker();
                broker.kill();
                long nanos = marked();
                broker.restart();
                yield new Inflicted(true, nanos, since(nanos), 0, 1);
            }
            case BROKERS_STOPPED_LONG -> {
                long beganNanos = System.nanoTime();
                arena.brokers().forEach(Broker::kill);
                pauseMs(arena.brokers().size() == 1 ? LONG_STOP_MS : LONGEST_STOP_MS);
                BrokerCluster.restartAll(arena.brokers());
                yield new Inflicted(
                        true, marked(), since(beganNanos), 0, arena.brokers().size());
            }
            case BROKER_FREEZE_SHORT -> brokerFrozen(SHORT_FREEZE_MS);
            case BROKER_FREEZE_LONG -> brokerFrozen(LONG_FREEZE_MS);
            case NET_CUT -> ended(() -> arena.network(FaultProxy::cut));
            case NET_RESET -> ended(() -> arena.network(FaultProxy::reset));
            case NET_HALF_CLOSE -> ended(() -> arena.network(FaultProxy::halfClose));
            case NET_DELAY ->
                frozen(
                        NET_FAULT_MS,
                        () -> {
                            long delayMs = random.nextLong(20, 120);
                            arena.network(proxy -> proxy.delay(delayMs));
                        },
                        () -> arena.network(Inflictor::pass));
            case NET_BLACK_HOLE ->
                frozen(
                        NET_FAULT_MS,
                        () -> arena.network(proxy -> proxy.mode(FaultProxy.Mode.BLACK_HOLE)),
                        () -> arena.network(Inflictor::pass));
            case NET_ANSWERS_LOST ->
                frozen(NET_FAULT_MS / 2, () -> arena.network(proxy -> proxy.mode(FaultProxy.Mode.KEEP_ANSWERS)), () -> {
                    // What was answered dies with its connection: the producer cannot know what was done.
                    arena.network(FaultProxy::cut);
                    arena.network(Inflictor::pass);
                });
            case PAUSE ->
                ended(() -> {
                    arena.tell("pause", rest -> rest.pause(name));
                    awaitState("PAUSED");
                    arena.tell("resume", rest -> rest.resume(name));
                });
            case STOP ->
                ended(() -> {
                    arena.tell("stop", rest -> rest.stop(name));
                    awaitState("STOPPED");
                    arena.tell("resume", rest -> rest.resume(name));
                });
            case RESTART -> ended(() -> arena.tell("restart", rest -> rest.restart(name)));
            case TASKS_4_1_4 ->
                ended(() -> {
                    reconfigure("1");
                    arena.tell("1 task", rest -> rest.awaitRunning(name, 1));
                    reconfigure(config.get("tasks.max"));
                });
            case DELETE_AND_CREATE ->
                ended(() -> {
                    arena.tell("delete", this::deleteIfThere);
                    arena.tell("create", rest -> rest.put(name, config));
                });
            case POSTGRES_KILL -> {
                ((DatabaseFeed) feed).server().kill();
                long nanos = marked();
                ((DatabaseFeed) feed).server().restart();
                yield new Inflicted(true, nanos, 0, 0, 0);
            }
            case POSTGRES_CUT -> ended(((DatabaseFeed) feed).proxy()::cut);
            case POSTGRES_BLACK_HOLE -> {
                FaultProxy proxy = ((DatabaseFeed) feed).proxy();
                yield frozen(NET_FAULT_MS, () -> proxy.mode(FaultProxy.Mode.BLACK_HOLE), () -> pass(proxy));
            }
        };
    }

    // Not that all tasks share the state: a rebalance in between can leave a status "unassigned" of a task that is no
    // more, for good (seen with Connect 4.3.1).
    private void awaitState(String state) {
        Await.until(
                name + " is " + state,
                STATE_LIMIT,
                () -> {
                    ConnectorStatus status = arena.ask("status", rest -> rest.status(name));
                    return status.state().equals(state)
                            && status.tasks().stream()
                                    .noneMatch(task -> task.state().equals("RUNNING"));
                },
                () -> "another state");
    }

    private void deleteIfThere(io.microbatch.testbed.ConnectRest rest) {
        try {
            rest.delete(name);
        } catch (io.microbatch.testbed.ConnectRestException e) {
            // A delete whose answer was lost.
            if (e.status() != 404) {
                throw e;
            }
        }
    }

    private void reconfigure(String tasks) {
        Map<String, String> changed = new HashMap<>(config);
        changed.put("tasks.max", tasks);
        arena.tell(tasks + " tasks", rest -> rest.put(name, changed));
    }

    private Broker anyBroker() {
        return arena.brokers().get(random.nextInt(arena.brokers().size()));
    }

    private Inflicted brokerFrozen(long ms) {
        Broker broker = anyBroker();
        return frozen(ms, broker::freeze, broker::thaw);
    }

    private Inflicted workerFrozen(long ms, ConnectWorker worker) {
        long beganNanos = System.nanoTime();
        Inflicted done = frozen(ms, worker::freeze, worker::thaw);
        feed.workerWasFrozen(beganNanos, System.nanoTime());
        return done;
    }

    private static void pass(FaultProxy proxy) {
        proxy.mode(FaultProxy.Mode.PASS);
    }

    private long marked() {
        mark.run();
        return System.nanoTime();
    }

    private Inflicted ended(Runnable disturbance) {
        disturbance.run();
        return new Inflicted(true, marked(), 0, 0, 0);
    }

    private Inflicted frozen(long ms, Runnable begin, Runnable end) {
        long beganNanos = System.nanoTime();
        begin.run();
        try {
            pauseMs(ms);
        } finally {
            end.run();
        }
        return new Inflicted(true, marked(), since(beganNanos), 0, 0);
    }

    private Inflicted killAt(Failpoint point) {
        long beganNanos = System.nanoTime();
        int hit = 1 + random.nextInt(passages(point));
        for (int i = 0; i < arena.workerCount(); i++) {
            arena.failpoints(i).arm(point, FailpointAction.HALT, hit);
        }
        provoke(point);
        boolean reached = Await.reached(POINT_LIMIT, () -> dead() > 0);
        long nanos = marked();
        int kills = 0;
        for (int i = 0; i < arena.workerCount(); i++) {
            arena.failpoints(i).disarm();
            ConnectWorker worker = arena.worker(i);
            if (arena.failpoints(i).wasHit() || !worker.isAlive()) {
                Await.until("the halted worker is gone", DEATH_LIMIT, () -> !worker.isAlive(), () -> "alive");
                worker.restart();
                kills++;
            }
        }
        return new Inflicted(reached, reached ? nanos : beganNanos, 0, kills, 0);
    }

    private int dead() {
        int dead = 0;
        for (int i = 0; i < arena.workerCount(); i++) {
            dead += arena.worker(i).isAlive() ? 0 : 1;
        }
        return dead;
    }

    /** Points that a stream does not pass by itself. */
    private void provoke(Failpoint point) {
        switch (point) {
            case IN_STOP, IN_TASK_START, IN_READER_START, IN_HOSTED_START, IN_OUTBOX_START -> {
                try {
                    arena.tell("restart", rest -> rest.restart(name));
                } catch (IllegalStateException e) {
                    // The worker that took the order may die before it answers; whether one died is seen below.
                    if (dead() == 0) {
                        throw e;
                    }
                }
            }
            default -> {
                // Passed all the time.
            }
        }
    }

    /** How often a worker passes the point for certain while one waits for it. */
    private static int passages(Failpoint point) {
        return switch (point) {
            case AFTER_RING_PUBLISH, MID_DRAIN, ENTRY_OF_COMMIT_RECORD, AFTER_SETTLE -> 60;
            // Once for each task when provoked, and a worker may have one; and an observation is rare.
            case IN_STOP,
                    IN_TASK_START,
                    IN_READER_START,
                    IN_HOSTED_START,
                    IN_OUTBOX_START,
                    BEFORE_SQLITE_COMMIT,
                    AFTER_SQLITE_COMMIT -> 1;
            default -> 3;
        };
    }

    private static long since(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }

    static void pauseMs(long ms) {
        long untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
        for (long left = untilNanos - System.nanoTime(); left > 0; left = untilNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
