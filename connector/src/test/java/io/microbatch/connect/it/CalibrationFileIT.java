package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.TestbedHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A calibration file that cannot be used, on a real worker: events are delivered anyway, and one log line names the
 * cause.
 */
@ExtendWith(Cluster.Shared.class)
class CalibrationFileIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int EVENTS = 2_000;
    private static final String DEGRADED = "Calibration is kept in memory only";
    private static final String NO_MOUNT = "this process may not mount a file system: run this test as root";

    private final Cluster cluster;
    private final Path home;

    CalibrationFileIT(Cluster cluster) {
        this.cluster = cluster;
        this.home = cluster.directory().resolve("calibration-faults");
    }

    @Test
    void isReplacedAndKeptAsideWhenItIsGarbage() throws IOException {
        ConnectWorker worker = cluster.worker(Mode.EXACTLY_ONCE);
        Path directory = Files.createDirectories(home.resolve("garbage"));
        Files.writeString(directory.resolve("cal-garbage-0.calibration"), "no database ".repeat(1_000));

        start(worker, "cal-garbage", directory);
        awaitAllEvents("cal-garbage");

        Await.until(
                "the damaged file",
                PATIENCE,
                () -> names(directory).stream().anyMatch(name -> name.startsWith("cal-garbage-0.calibration.damaged")),
                () -> names(directory).toString());
        assertThat(lines(worker, DEGRADED, directory)).isEmpty();
        worker.rest().delete("cal-garbage");
    }

    private static List<String> names(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void isRefusedWithoutFollowingItWhenItIsALink() throws IOException {
        ConnectWorker worker = cluster.worker(Mode.EXACTLY_ONCE);
        Path directory = Files.createDirectories(home.resolve("link"));
        Path target = Files.writeString(home.resolve("target"), "precious");
        Files.createSymbolicLink(directory.resolve("cal-link-0.calibration"), target);

        start(worker, "cal-link", directory);
        awaitAllEvents("cal-link");

        assertLoggedOnce(worker, directory, "is a symbolic link");
        assertThat(target).hasContent("precious");
        worker.rest().delete("cal-link");
    }

    @Test
    void belongsToTheFirstOfTwoWorkersWithTasksOfTheSameName() throws IOException {
        Path directory = Files.createDirectories(home.resolve("two"));
        for (Mode mode : Mode.values()) {
            start(cluster.worker(mode), "cal-two", directory, "cal-two-" + mode.suffix());
        }
        for (Mode mode : Mode.values()) {
            awaitAllEvents("cal-two-" + mode.suffix());
        }

        Await.until(
                "the task without a file",
                PATIENCE,
                () -> !degraded(directory).isEmpty(),
                () -> names(directory).toString());
        assertThat(degraded(directory)).singleElement().asString().contains("is held by process");
        for (Mode mode : Mode.values()) {
            cluster.rest(mode).delete("cal-two");
        }
    }

    /** What both workers say of a directory. */
    private List<String> degraded(Path directory) {
        return Stream.of(Mode.values())
                .flatMap(mode -> lines(cluster.worker(mode), DEGRADED, directory).stream())
                .toList();
    }

    /** The test mounts disks while the worker runs. A container does not see them. */
    @Test
    @Tag("processes")
    void isNotNeededOnAFullOrReadOnlyDisk() {
        ConnectWorker worker = cluster.worker(Mode.EXACTLY_ONCE);
        Optional<TmpFileSystem> full = TmpFileSystem.mount(home.resolve("full"), "size=1m");
        assumeTrue(full.isPresent(), NO_MOUNT);
        try (TmpFileSystem disk = full.get();
                TmpFileSystem readOnly =
                        TmpFileSystem.mount(home.resolve("ro"), "size=4m").orElseThrow()) {
            // Events are left after the stop: only a task that delivers writes its file.
            start(worker, "cal-ro", readOnly.path(), "cal-ro", 200);
            worker.rest().stop("cal-ro");
            worker.rest().awaitState("cal-ro", "STOPPED");
            readOnly.remount("ro");
            worker.rest().resume("cal-ro");
            disk.fill();
            start(worker, "cal-full", disk.path());
            awaitAllEvents("cal-ro");
            awaitAllEvents("cal-full");

            assertLoggedOnce(worker, disk.path(), "free space");
            assertLoggedOnce(worker, readOnly.path(), "may write to");
            worker.rest().delete("cal-full");
            worker.rest().delete("cal-ro");
        }
    }

    @Test
    void isNotNeededWhereNoLibraryCanBeLoaded() {
        Optional<TmpFileSystem> mounted = TmpFileSystem.mount(home.resolve("noexec"), "size=8m,noexec");
        assumeTrue(mounted.isPresent(), NO_MOUNT);
        // A worker of its own: a process loads the library once, and it must not be loaded yet.
        try (TmpFileSystem noexec = mounted.get();
                ConnectWorker worker = ConnectWorker.builder(
                                TestbedHome.locate(), cluster.directory(), cluster.bootstrapServers())
                        .name("noexec")
                        .pluginPath(cluster.plugins())
                        .jvmOption("-Djava.io.tmpdir=" + noexec.path())
                        .start()) {
            start(worker, "cal-noexec", noexec.path());
            awaitAllEvents("cal-noexec");
            assertLoggedOnce(worker, noexec.path(), "native library cannot be loaded");

            // The system's temporary directory may be noexec. Only the calibration directory matters.
            Path elsewhere = home.resolve("exec");
            start(worker, "cal-exec", elsewhere);
            awaitAllEvents("cal-exec");
            Await.until(
                    "the file",
                    PATIENCE,
                    () -> elsewhere.resolve("cal-exec-0.calibration").toFile().length() > 0,
                    worker::logTail);
            assertThat(lines(worker, DEGRADED, elsewhere)).isEmpty();
        }
    }

    /** The thread that opens the file may begin after the last event. */
    private void assertLoggedOnce(ConnectWorker worker, Path directory, String part) {
        Await.until(
                "a line about " + directory,
                PATIENCE,
                () -> !lines(worker, DEGRADED, directory).isEmpty(),
                worker::logTail);
        assertThat(lines(worker, DEGRADED, directory))
                .singleElement()
                .asString()
                .contains(part, "; remedy: ");
    }

    private static List<String> lines(ConnectWorker worker, String part, Path directory) {
        return worker.logLines().stream()
                .filter(line -> line.contains(part) && line.contains(directory.toString()))
                .toList();
    }

    private void start(ConnectWorker worker, String name, Path directory) {
        start(worker, name, directory, name);
    }

    private void start(ConnectWorker worker, String name, Path directory, String topic) {
        start(worker, name, directory, topic, 400);
    }

    private void start(ConnectWorker worker, String name, Path directory, String topic, int ratePerSec) {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", Cluster.CONNECTOR);
        config.put("tasks.max", "1");
        config.put("upstream.type", "synthetic");
        config.put("upstream.synthetic.topic", topic);
        config.put("upstream.synthetic.events.per.partition", Integer.toString(EVENTS));
        config.put("upstream.synthetic.rate", Integer.toString(ratePerSec));
        config.put("upstream.synthetic.seed", "7");
        config.put("pressure.window.ms", "1000");
        config.put("calibration.directory", directory.toString());
        config.put("value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        config.put("key.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        worker.rest().create(name, config);
        worker.awaitRunning(name, 1);
    }

    private void awaitAllEvents(String topic) {
        Set<SyntheticCheck> last = new java.util.HashSet<>();
        Await.until(
                "every event in " + topic,
                PATIENCE,
                () -> {
                    SyntheticCheck check = SyntheticCheck.of(cluster.reader(), topic, 7, 1, EVENTS);
                    last.clear();
                    last.add(check);
                    return check.lost() == 0;
                },
                last::toString);
        assertThat(last).containsExactly(SyntheticCheck.CLEAN);
    }
}
