package io.microbatch.testbed.failpoint;

import io.microbatch.testbed.Await;
import io.microbatch.testbed.TestbedHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * A test's control over the failpoints of one worker. Pass {@link #jvmOption} to the worker before it starts. A
 * restarted worker keeps the control: disarm before a halted worker starts again, otherwise it halts again. Used by one
 * thread at a time.
 */
public final class FailpointControl {

    private static final String AGENT = "-failpoint-agent.jar";

    private final Path agent;
    private final Path directory;
    private int armedCount;
    private String armedLine = "";

    /** Controls a worker through this directory. No other worker may use the same directory. */
    public FailpointControl(TestbedHome home, Path directory) {
        this.agent = agentOf(home);
        try {
            this.directory = Files.createDirectories(directory.toAbsolutePath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path agentOf(TestbedHome home) {
        Path directory = home.root().resolve("agent");
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().endsWith(AGENT))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no *" + AGENT));
        } catch (IOException e) {
            throw new UncheckedIOException(directory + ": build it: mvn -pl testbed -DskipTests package", e);
        }
    }

    /** The JVM option that loads the agent into a worker. */
    public String jvmOption() {
        return "-javaagent:" + agent + "=" + directory;
    }

    /**
     * Arms a point instead of the one that is armed. The action happens once, at the hit with this number, counted from
     * 1.
     */
    public void arm(Failpoint point, FailpointAction action, int hit) {
        armedCount++;
        armedLine = armedCount + " " + point.name() + " " + action.name() + " " + hit;
        try {
            Path written = directory.resolve(Failpoints.ARMED_FILE + ".new");
            Files.write(written, List.of(armedLine));
            // In one step: the worker polls the file and must not read half a line.
            Files.move(
                    written,
                    directory.resolve(Failpoints.ARMED_FILE),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Releases a hanging thread and disarms the point. */
    public void disarm() {
        try {
            boolean ignored = Files.deleteIfExists(directory.resolve(Failpoints.ARMED_FILE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the point that was armed last was hit and its action has begun. */
    public boolean wasHit() {
        try {
            // Compared, because a thread that was at the earlier point may report its hit after this arming.
            return Files.readString(directory.resolve(Failpoints.HIT_FILE))
                    .trim()
                    .equals(armedLine);
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the armed point is hit. Returns false when this does not happen within {@code limit}. */
    public boolean awaitHit(Duration limit) {
        return Await.reached(limit, this::wasHit);
    }
}
