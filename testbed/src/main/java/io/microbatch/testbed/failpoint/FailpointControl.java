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
 * A test's side of one worker's failpoints. Give {@link #jvmOption} to the worker before it starts; a restarted worker
 * keeps the control. Disarm before a worker that was halted is started again, or it halts again. Used by one thread at
 * a time.
 */
public final class FailpointControl {

    private static final String AGENT = "-failpoint-agent.jar";

    private final Path agent;
    private final Path directory;
    private int armedCount;
    private String armedLine = "";

    /** Controls a worker through this directory, which no other worker may share. */
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

    /** What makes a worker's JVM load the agent. */
    public String jvmOption() {
        return "-javaagent:" + agent + "=" + directory;
    }

    /** Arms a point in place of whatever is armed: the action happens at the hit of this number, from 1, and once. */
    public void arm(Failpoint point, FailpointAction action, int hit) {
        armedCount++;
        armedLine = armedCount + " " + point.name() + " " + action.name() + " " + hit;
        try {
            Path written = directory.resolve(Failpoints.ARMED_FILE + ".new");
            Files.write(written, List.of(armedLine));
            // At once: the worker looks all the time and must not find half a line.
            Files.move(
                    written,
                    directory.resolve(Failpoints.ARMED_FILE),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets a hanging thread go and has nothing happen any more. */
    public void disarm() {
        try {
            boolean ignored = Files.deleteIfExists(directory.resolve(Failpoints.ARMED_FILE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the point that was armed last was reached and its action begun. */
    public boolean wasHit() {
        try {
            // Compared, since a thread may report an earlier arming after this one: it was at the point already.
            return Files.readString(directory.resolve(Failpoints.HIT_FILE))
                    .trim()
                    .equals(armedLine);
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until it was. Answers false when it is not within {@code limit}. */
    public boolean awaitHit(Duration limit) {
        return Await.reached(limit, this::wasHit);
    }
}
