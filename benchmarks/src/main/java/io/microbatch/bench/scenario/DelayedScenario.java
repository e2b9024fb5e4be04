package io.microbatch.bench.scenario;

import io.microbatch.bench.load.LoadStack;
import io.microbatch.testbed.FaultProxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A scenario whose broker answers produce requests later, behind a proxy. A worker has one request in flight and the
 * settings of its own; readers go to the broker directly. One thread.
 */
abstract class DelayedScenario extends Scenario {

    private static final int MAX_DELAY_MS = 5_000;

    private FaultProxy proxy;

    DelayedScenario(String name) {
        super(name, "delays");
    }

    /** The same delays, if they are such. */
    protected final List<Integer> sensible(List<Integer> delaysMs) {
        if (delaysMs.stream().anyMatch(ms -> ms < 0 || ms > MAX_DELAY_MS)) {
            throw wrong("--delays are 0 to " + MAX_DELAY_MS + " ms");
        }
        return delaysMs;
    }

    /** The worker's own settings: the producer's are what this is about. */
    @Override
    protected final List<String> drivers() {
        return List.of("exactly-once", "at-least-once");
    }

    @Override
    protected Map<String, String> common() {
        return Map.of("producer.override.max.in.flight.requests.per.connection", "1");
    }

    @Override
    protected final int defaultRounds() {
        return 1;
    }

    /** The worker starts, and its JVM becomes warm, on a fast broker. */
    @Override
    protected final void enter(Situation situation) {
        proxy.delayProduce(situation == null ? 0 : delayMs(situation));
    }

    /** The time by which an answer comes later, in milliseconds. */
    protected static int delayMs(Situation situation) {
        return (int) situation.value();
    }

    @Override
    protected final LoadStack start(Path work) {
        proxy = FaultProxy.listenForKafka();
        return LoadStack.startBehind(proxy, work);
    }
}
