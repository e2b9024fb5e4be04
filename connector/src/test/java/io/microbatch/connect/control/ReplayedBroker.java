package io.microbatch.connect.control;

import io.microbatch.connect.poll.ReadyRule;
import io.microbatch.connect.pressure.ArrivalGauge;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * A task and a broker in model time. Events arrive at a rate, batches leave when they are ready, and the broker
 * acknowledges them after its delay. Under exactly-once the task waits for each of its transactions. Steps of 100 µs.
 * One thread.
 */
final class ReplayedBroker {

    static final long MS = 1_000_000;
    private static final long STEP = MS / 10;

    private final Controller controller;
    private final boolean transactional;
    private final ArrivalGauge gauge = new ArrivalGauge(500, 0, 0);
    private final ArrayDeque<Long> buffered = new ArrayDeque<>();
    private final ArrayDeque<Sent> inFlight = new ArrayDeque<>();
    private final List<Seen> history = new ArrayList<>();

    private long nowNanos;
    private double due;
    private long offered;
    private long committedNanos = Long.MIN_VALUE / 2;
    private double eventsPerSec;
    private long delayNanos;
    private Decision decision;

    private record Sent(long returnedNanos, long oldestNanos, long ackedNanos) {}

    /** A batch at the time of its return. */
    record Seen(long atMs, int events, double oldestWaitedMs, Decision decision) {}

    ReplayedBroker(Controller controller, boolean transactional) {
        this.controller = controller;
        this.transactional = transactional;
    }

    /** Advances model time at this rate and delay. Returns the batches of that time. */
    List<Seen> run(long millis, double rate, double delayMs) {
        eventsPerSec = rate;
        delayNanos = (long) (delayMs * MS);
        int before = history.size();
        long untilNanos = nowNanos + millis * MS;
        while (nowNanos < untilNanos) {
            step();
        }
        return List.copyOf(history.subList(before, history.size()));
    }

    private void step() {
        nowNanos += STEP;
        due += eventsPerSec * STEP / 1e9;
        for (; due >= 1; due--) {
            buffered.addLast(nowNanos);
            offered++;
        }
        acknowledge();
        if (transactional && !inFlight.isEmpty()) {
            return;
        }
        gauge.update(nowNanos, offered);
        decision = controller.decide(nowNanos, gauge);
        Long oldest = buffered.peekFirst();
        if (oldest == null) {
            return;
        }
        if (ReadyRule.isReady(decision, buffered.size(), oldest, buffered.peekLast(), committedNanos, nowNanos)) {
            send(oldest);
        }
    }

    private void acknowledge() {
        for (Sent head = inFlight.peekFirst();
                head != null && head.ackedNanos() <= nowNanos;
                head = inFlight.peekFirst()) {
            inFlight.removeFirst();
            committedNanos = nowNanos;
            controller.acknowledged(
                    nowNanos, nowNanos - head.returnedNanos(), 0, nowNanos - head.oldestNanos(), transactional);
        }
    }

    private void send(long oldestNanos) {
        int events = Math.min(buffered.size(), decision.setting().maxEvents());
        for (int i = 0; i < events; i++) {
            buffered.removeFirst();
        }
        inFlight.addLast(new Sent(nowNanos, oldestNanos, nowNanos + delayNanos));
        history.add(new Seen(nowNanos / MS, events, (nowNanos - oldestNanos) / 1e6, decision));
    }

    Decision decision() {
        return decision;
    }

    /** The latency from arrival to acknowledgement of the worst batch, in milliseconds, at a constant delay. */
    static double worstLatencyMs(List<Seen> batches, double delayMs) {
        return batches.stream().mapToDouble(Seen::oldestWaitedMs).max().orElse(0) + delayMs;
    }
}
