package io.microbatch.bench.fleet;

import java.util.ArrayList;
import java.util.List;

/**
 * The load of a fleet and its times. Immutable.
 *
 * @param connectors the number of connectors, each with one task, one topic and one topic partition
 * @param warmUpSeconds how long all of them produce before events are measured
 * @param seconds how long events are measured
 * @param idleSeconds how long the CPU of the running connectors is measured before their first events
 */
record FleetPlan(int connectors, int warmUpSeconds, int seconds, int idleSeconds) {

    /** One of this many connectors produces nothing. */
    private static final int IDLE_EACH = 8;

    private static final int WARM_UP_SHARE = 4;
    private static final int SLOWEST_PER_SEC = 5;
    private static final int FASTEST_PER_SEC = 50;

    /** The time that the worker gets to start a connector. Two processors need less than half of it. */
    private static final long START_MS_PER_CONNECTOR = 750;

    private static final long START_MS = 15_000;

    /** A shorter plan with a quarter of the connectors. */
    FleetPlan warmUp() {
        return new FleetPlan((connectors + WARM_UP_SHARE - 1) / WARM_UP_SHARE, 2, 8, 1);
    }

    /**
     * The rates in events per second, by the connector's number. 0 is an idle connector. The others are spread evenly
     * from 5 to 50.
     */
    List<Integer> rates() {
        int producing = connectors - connectors / IDLE_EACH;
        List<Integer> rates = new ArrayList<>();
        int rank = 0;
        for (int number = 0; number < connectors; number++) {
            boolean idle = number % IDLE_EACH == IDLE_EACH - 1;
            int range = FASTEST_PER_SEC - SLOWEST_PER_SEC;
            rates.add(idle ? 0 : SLOWEST_PER_SEC + range * rank++ / Math.max(1, producing - 1));
        }
        return rates;
    }

    /** How many events a connector of this rate produces, warm-up included. */
    int events(int rate) {
        return Math.multiplyExact(rate, warmUpSeconds + seconds);
    }

    /** From the creation of the first connector to the first events. All connectors must run by then. */
    long startDelayMs() {
        return START_MS + START_MS_PER_CONNECTOR * connectors + idleSeconds * 1_000L;
    }
}
