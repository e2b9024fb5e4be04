package io.microbatch.bench.advise;

import io.microbatch.bench.load.LoadStack;
import io.microbatch.testbed.BrokerCluster;
import io.microbatch.testbed.FaultProxy;
import java.nio.file.Path;
import java.util.Map;

/** The brokers that a stream goes to. Constant; one thread. */
enum Place {
    /** One broker. */
    ONE_BROKER("one broker"),
    /** One broker that answers each produce request later. */
    SLOW_BROKER("one broker, produce requests 20 ms later"),
    /** Three brokers with min.insync.replicas=2. */
    THREE_BROKERS("three brokers");

    private static final int DELAY_MS = 20;

    /**
     * The worker's averages are those of the last 3 to 6 s in place of 30 to 60 s, so that a stream of seconds has
     * figures of its own.
     */
    private static final Map<String, String> WORKER = Map.of(
            "rest.extension.classes", "io.microbatch.connect.console.ConsoleExtension",
            "metrics.sample.window.ms", "3000",
            "producer.metrics.sample.window.ms", "3000");

    private final String text;

    Place(String text) {
        this.text = text;
    }

    /** In words. */
    String text() {
        return text;
    }

    /** Starts the brokers. Their workers have the console. */
    LoadStack start(Path work) {
        LoadStack stack = switch (this) {
            case ONE_BROKER -> LoadStack.start(work, 1);
            case SLOW_BROKER -> slow(work);
            case THREE_BROKERS -> LoadStack.start(work, BrokerCluster.NODES);
        };
        stack.giveWorkers(WORKER);
        return stack;
    }

    private static LoadStack slow(Path work) {
        FaultProxy proxy = FaultProxy.listenForKafka();
        proxy.delayProduce(DELAY_MS);
        return LoadStack.startBehind(proxy, work);
    }
}
