package io.microbatch.connect.it;

import io.microbatch.testbed.ShutdownGuard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A small file system in memory, if the process may mount one: for full, read-only and noexec directories. */
final class TmpFileSystem implements AutoCloseable {

    private final Path path;
    private final ShutdownGuard.Registration registration;

    private TmpFileSystem(Path path) {
        this.path = path;
        this.registration = ShutdownGuard.register(() -> {
            boolean ignored = succeeds("umount", "-l", path.toString());
        });
    }

    /** Mounts it on a new directory. Empty if this process may not mount, as without root or in a strict container. */
    static Optional<TmpFileSystem> mount(Path directory, String options) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return succeeds("mount", "-t", "tmpfs", "-o", options, "tmpfs", directory.toString())
                ? Optional.of(new TmpFileSystem(directory))
                : Optional.empty();
    }

    Path path() {
        return path;
    }

    /** Changes the mount options, such as {@code ro}. */
    void remount(String options) {
        if (!succeeds("mount", "-o", "remount," + options, path.toString())) {
            throw new IllegalStateException(path + " cannot be remounted with " + options);
        }
    }

    /** Writes until the file system is full. */
    void fill() {
        byte[] block = new byte[1024];
        try (var out = Files.newOutputStream(path.resolve("fill"))) {
            while (true) {
                out.write(block);
            }
        } catch (IOException e) {
            if (!Files.exists(path.resolve("fill"))) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static boolean succeeds(String... command) {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        if (!succeeds("umount", "-l", path.toString())) {
            throw new IllegalStateException(path + " cannot be unmounted");
        }
        registration.close();
    }
}
