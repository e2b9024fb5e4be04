package io.microbatch.testbed;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A temporary directory that is gone after {@link #close()}, or at the latest when the JVM ends. */
public final class WorkDirectory implements Closeable {

    private final Path path;
    private final ShutdownGuard.Registration registration;

    private WorkDirectory(Path path) {
        this.path = path;
        this.registration = ShutdownGuard.register(this::deleteQuietly);
    }

    /** Creates it under the system's temporary directory. */
    public static WorkDirectory create(String prefix) {
        try {
            return new WorkDirectory(Files.createTempDirectory(prefix));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The directory itself. */
    public Path path() {
        return path;
    }

    @Override
    public void close() {
        deleteQuietly();
        registration.close();
    }

    // A process that is being killed may still add a file while we delete: what is left is tried once more.
    private void deleteQuietly() {
        for (int attempt = 0; attempt < 3 && Files.exists(path); attempt++) {
            for (Path each : deepestFirst()) {
                boolean ignored = each.toFile().delete();
            }
        }
    }

    private List<Path> deepestFirst() {
        try (Stream<Path> walk = Files.walk(path)) {
            return walk.sorted(Comparator.reverseOrder()).toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }
}
