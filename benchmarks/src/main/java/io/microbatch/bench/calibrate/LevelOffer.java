package io.microbatch.bench.calibrate;

import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.Layout;
import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.Promise;
import io.microbatch.connect.pressure.PressureLevel;
import java.util.List;
import java.util.Map;

/**
 * The rate that is offered to a task so that it learns a level: one in the level's band. Immutable.
 *
 * @param level the level
 * @param perSec events per second
 */
record LevelOffer(PressureLevel level, int perSec) {

    /** Up to this rate every machine keeps up. Above it, what the machine carries is measured first. */
    private static final int SURE_PER_SEC = 5_000;

    /** So that the disk and the time of a run are bounded on a fast machine, too. */
    private static final int MAX_EVENTS = 50_000_000;

    /** For the start of the task, and for a machine that becomes slower meanwhile. */
    private static final int GRACE_SECONDS = 60;

    /** One for each level, in order. */
    private static final List<Integer> RATES =
            List.of(5, 50, 300, 1_000, 5_000, 25_000, 100_000, 450_000, 2_000_000, 8_000_000);

    static LevelOffer to(PressureLevel level) {
        return new LevelOffer(level, RATES.get(level.ordinal()));
    }

    /** Whether a machine may not carry it. */
    boolean isUncertain() {
        return perSec > SURE_PER_SEC;
    }

    /**
     * How many events are offered so that the run takes the time, or less.
     *
     * @param carriesPerSec what the machine carries, events per second
     */
    int events(int seconds, double carriesPerSec) {
        double events = Math.min(perSec, carriesPerSec) * seconds;
        return (int) Math.max(1, Math.min(MAX_EVENTS, events));
    }

    /** The run. Its connector keeps what it learns under one name. */
    LoadSpec spec(String topic, int seconds, double carriesPerSec, Map<String, String> config) {
        return new LoadSpec(
                "calibrate",
                topic,
                Delivery.EXACTLY_ONCE,
                Integer.toString(perSec),
                events(seconds, carriesPerSec),
                0,
                2 * seconds + GRACE_SECONDS,
                config,
                Layout.SINGLE,
                Promise.EXACT);
    }
}
