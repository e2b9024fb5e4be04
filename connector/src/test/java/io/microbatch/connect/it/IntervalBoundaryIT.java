package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.JmxReader;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An operator lets Connect's clock end the transactions of this connector. Everything is delivered, and what was
 * returned last is committed without further events, while the connector runs. How soon is tested in CommitClockTest.
 */
@ExtendWith(Cluster.Shared.class)
class IntervalBoundaryIT {

    private static final int BATCH_EVENTS = 10;

    private final Cluster cluster;

    IntervalBoundaryIT(Cluster cluster) {
        this.cluster = cluster;
    }

    private static Map<String, String> atIntervals(Map<String, String> config, int intervalMs) {
        Map<String, String> changed = new HashMap<>(config);
        changed.put("transaction.boundary", "interval");
        changed.put("transaction.boundary.interval.ms", Integer.toString(intervalMs));
        return changed;
    }

    private List<String> warnings(Mode mode, String connector) {
        return cluster.worker(mode).logLines().stream()
                .filter(line -> line.contains("[" + connector + "|") && line.contains("transaction.boundary=interval"))
                .toList();
    }

    private double largestTransaction(Mode mode, String connector) {
        String pattern = "kafka.connect:type=source-task-metrics,connector=" + JmxReader.tag(connector) + ",*";
        return cluster.worker(mode)
                .jmx()
                .number(pattern, "transaction-size-max")
                .orElse(-1);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void deliversEveryEventOnceAndTheTailWithoutFurtherEvents(Mode mode) {
        SyntheticLoad load = new SyntheticLoad(cluster, "interval-" + mode.suffix(), 2, 2_000);
        String name = load.name();
        ConnectRest rest = cluster.rest(mode);
        Map<String, String> config = atIntervals(load.config(1, 0), 2_000);
        config.put("batch.mode", "fixed");
        config.put("batch.max.records", Integer.toString(BATCH_EVENTS));
        rest.create(name, config);
        cluster.worker(mode).awaitRunning(name, 1);

        load.awaitEnd();

        if (mode == Mode.EXACTLY_ONCE) {
            // The worker notes the size after Kafka has made the transaction visible.
            Await.until(
                    "a transaction that holds many batches",
                    Duration.ofSeconds(60),
                    () -> largestTransaction(mode, name) > BATCH_EVENTS,
                    () -> "the largest has " + largestTransaction(mode, name) + " events");
        }
        assertThat(warnings(mode, name))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).contains("WARN", "every 2000 ms", "remove transaction.boundary"));
        assertThat(load.checkStopped(rest)).isEqualTo(SyntheticCheck.CLEAN);
        rest.delete(name);
    }

    @Test
    void deliversEveryEventOnceAcrossPauseStopAndTheWayBack() {
        Mode mode = Mode.EXACTLY_ONCE;
        SyntheticLoad load = new SyntheticLoad(cluster, "interval-lifecycle", 2, 1_500);
        String name = load.name();
        ConnectRest rest = cluster.rest(mode);
        rest.create(name, atIntervals(load.config(1, 400), 300));
        cluster.worker(mode).awaitRunning(name, 1);
        load.awaitEvents(200);

        rest.pause(name);
        rest.awaitState(name, "PAUSED");
        rest.resume(name);
        cluster.worker(mode).awaitRunning(name, 1);
        load.awaitEvents(Math.min(load.total(), load.count() + 200));

        rest.stop(name);
        rest.awaitState(name, "STOPPED");
        long stoppedAt = load.count();
        rest.resume(name);
        cluster.worker(mode).awaitRunning(name, 1);
        load.awaitEvents(Math.min(load.total(), stoppedAt + 200));

        rest.put(name, load.config(1, 400));
        cluster.worker(mode).awaitRunning(name, 1);
        load.awaitEnd();

        assertThat(load.checkStopped(rest)).isEqualTo(SyntheticCheck.CLEAN);
        rest.delete(name);
    }

    @Test
    void commitsTheTailOfAHostedConnectorThatHasNoMore() {
        Lines lines = new Lines(cluster, Mode.EXACTLY_ONCE, "interval-lines");
        lines.append(Lines.numbered(0, 500));
        lines.rest().create(lines.name(), atIntervals(lines.config(Lines.STRING, Map.of()), 500));
        lines.awaitDelivered(500);
        lines.append(Lines.numbered(500, 1));
        lines.awaitDelivered(501);
        assertThat(lines.delivered()).isEqualTo(Lines.numbered(0, 501));
        lines.rest().delete(lines.name());
    }
}
