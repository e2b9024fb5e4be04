package io.microbatch.testbed;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A temporary directory that is deleted by {@link #close()}, or at the latest when the JVM ends. Its name contains the
 * id of the owning process, so that directories of killed processes can be identified.
 */
public final class WorkDirectory implements Closeable {

    private static final Path PARENT = Path.of(System.getProperty("java.io.tmpdir"));
    private static final String MARK = ".pid-";
    private static final Pattern OWNED = Pattern.compile("microbatch-.*\\" + MARK + "(\\d+)\\..*");
    private static final long MIN_FREE_BYTES = 4L << 30;
    private static final double MIN_FREE_PART = 0.05;

    private final Path path;
    private final ShutdownGuard.Registration registration;

    private WorkDirectory(Path path) {
        this.path = path;
        this.registration = ShutdownGuard.register(this::deleteQuietly);
    }

    /** Creates the directory under the system's temporary directory. */
    public static WorkDirectory create(String prefix) {
        try {
            return new WorkDirectory(Files.createTempDirectory(
                    PARENT, prefix + MARK + ProcessHandle.current().pid() + "."));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * As {@link #create}, but fails if the disk is nearly full. Otherwise brokers and databases would be limited by the
     * disk and might lose data.
     */
    public static WorkDirectory createOnFreeDisk(String prefix) {
        requireSpace();
        return create(prefix);
    }

    /** Deletes the directories of processes that have ended. Returns their number. */
    public static int removeLeftOvers() {
        List<Path> left;
        try (Stream<Path> all = Files.list(PARENT)) {
            left = all.filter(WorkDirectory::isLeftOver).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        left.forEach(WorkDirectory::delete);
        return left.size();
    }

    private static boolean isLeftOver(Path directory) {
        Matcher owned = OWNED.matcher(directory.getFileName().toString());
        return owned.matches()
                && ProcessHandle.of(Long.parseLong(owned.group(1))).isEmpty();
    }

    private static void requireSpace() {
        try {
            FileStore disk = Files.getFileStore(PARENT);
            long free = disk.getUsableSpace();
            if (free < MIN_FREE_BYTES || free < MIN_FREE_PART * disk.getTotalSpace()) {
                throw new IllegalStateException("only " + (free >> 20) + " MiB are free in " + PARENT
                        + ": free some space, or set another directory with JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIR");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The directory itself. */
    public Path path() {
        return path;
    }

    /** Copies the logs of all processes below a directory into another one, at the same relative paths. */
    public static void keepLogs(Path work, Path target) {
        try (Stream<Path> files = Files.walk(work)) {
            List<Path> logs = files.filter(file -> file.toString().endsWith(".log") && Files.isRegularFile(file))
                    // Kafka's data logs are directories of segments with the same file ending.
                    .filter(file -> !Files.exists(file.resolveSibling("leader-epoch-checkpoint")))
                    .toList();
            for (Path log : logs) {
                Path copy = target.resolve(work.relativize(log).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(log, copy, StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        deleteQuietly();
        registration.close();
    }

    // A process that is being killed may still add a file, so the deletion of the rest is repeated once.
    private void deleteQuietly() {
        delete(path);
    }

    private static void delete(Path path) {
        for (int attempt = 0; attempt < 3 && Files.exists(path); attempt++) {
            for (Path each : deepestFirst(path)) {
                boolean ignored = each.toFile().delete();
            }
        }
    }

    private static List<Path> deepestFirst(Path path) {
        try (Stream<Path> walk = Files.walk(path)) {
            return walk.sorted(Comparator.reverseOrder()).toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }
}
