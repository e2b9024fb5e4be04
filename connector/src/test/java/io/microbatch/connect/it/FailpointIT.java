package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.failpoint.Failpoint;
import io.microbatch.testbed.failpoint.FailpointAction;
import io.microbatch.testbed.failpoint.FailpointControl;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The failpoints in the packaged plugin in a real worker, and that the packaged plugin has none of its own. */
@ExtendWith(Cluster.Shared.class)
class FailpointIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int EVENTS = 2_000;

    private final Cluster cluster;

    FailpointIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void haltsTheWorkerAtTheCommitAndEveryEventArrivesOnceAllTheSame() {
        FailpointControl failpoints = cluster.failpoints("halted");
        try (ConnectWorker worker = cluster.workerWith(failpoints, "halted")) {
            failpoints.arm(Failpoint.BEFORE_TRANSACTION_COMMIT, FailpointAction.HALT, 3);
            worker.rest().create("halted", config("halted"));
            assertThat(failpoints.awaitHit(PATIENCE)).isTrue();
            Await.until("the worker is gone", PATIENCE, () -> !worker.isAlive(), worker::logTail);
            failpoints.disarm();
            worker.restart();

            awaitEnd("halted");

            assertThat(check("halted")).isEqualTo(SyntheticCheck.CLEAN);
        }
    }

    @Test
    void failsTheTaskWhereItThrowsAndShowsWhatABugInTheOrderLooksLike() {
        FailpointControl failpoints = cluster.failpoints("planted");
        try (ConnectWorker worker = cluster.workerWith(failpoints, "planted")) {
            failpoints.arm(Failpoint.NEXT_POLL_ENTRY, FailpointAction.THROW, 3);
            worker.rest().create("planted", config("planted"));
            assertThat(worker.rest().awaitTaskFailed("planted")).contains("failpoint NEXT_POLL_ENTRY");

            failpoints.arm(Failpoint.BEFORE_POLL_RETURNS, FailpointAction.SWAP, 1);
            worker.rest().restartFailed("planted");
            assertThat(failpoints.awaitHit(PATIENCE)).isTrue();
            awaitEnd("planted");

            assertThat(check("planted")).isEqualTo(new SyntheticCheck(0, 0, 1, 0));
        }
    }

    @Test
    void isNotInTheArchive() throws IOException {
        try (ZipFile archive =
                new ZipFile(Path.of(System.getProperty("plugin.archive")).toFile())) {
            for (ZipEntry entry : archive.stream().toList()) {
                assertThat(entry.getName()).doesNotContain("byte-buddy", "testbed");
                if (entry.getName().endsWith(".jar")) {
                    assertNoneIn(new ZipInputStream(archive.getInputStream(entry)));
                }
            }
        }
    }

    private static void assertNoneIn(ZipInputStream jar) throws IOException {
        try (jar) {
            for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
                assertThat(entry.getName().toLowerCase(java.util.Locale.ROOT))
                        .doesNotContain("failpoint", "bytebuddy", "io/microbatch/testbed");
            }
        }
    }

    private Map<String, String> config(String topic) {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", Cluster.CONNECTOR);
        config.put("tasks.max", "1");
        config.put("upstream.type", "synthetic");
        config.put("upstream.synthetic.topic", topic);
        config.put("upstream.synthetic.partitions", "1");
        config.put("upstream.synthetic.events.per.partition", Integer.toString(EVENTS));
        config.put("upstream.synthetic.rate", "1000");
        config.put("upstream.synthetic.seed", "7");
        config.put("calibration.directory", cluster.calibrationDirectory().toString());
        for (String side : List.of("key", "value")) {
            config.put(side + ".converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        }
        return config;
    }

    private void awaitEnd(String topic) {
        Await.until(
                EVENTS + " events in " + topic,
                PATIENCE,
                () -> cluster.reader().readCommitted(topic).size() >= EVENTS,
                () -> "fewer");
    }

    private SyntheticCheck check(String topic) {
        return SyntheticCheck.of(cluster.reader(), topic, 7, 1, EVENTS);
    }
}
