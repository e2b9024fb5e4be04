package io.microbatch.connect.it.stubborn;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;

/**
 * The directory through which a test controls a stubborn connector. A call that finds the file {@code hang-<call>}
 * renames it to {@code hanging-<call>} and returns after that file is deleted. So one call of one instance hangs, and
 * its successor does not. Interrupts are ignored, as by a driver in native code. The journal records every call.
 */
final class Control {

    static final String KEY = "control";

    private static final long LOOK_NANOS = 10_000_000;

    private final Path directory;

    Control(String directory) {
        this.directory = Path.of(directory);
    }

    /** Records the call and hangs if requested. Returns whether it hung. */
    boolean enter(String who, String call) {
        note(who + " " + call);
        Path hanging = directory.resolve("hanging-" + call);
        try {
            Files.move(directory.resolve("hang-" + call), hanging, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            return false;
        }
        boolean interrupted = false;
        while (Files.exists(hanging)) {
            interrupted |= Thread.interrupted();
            LockSupport.parkNanos(LOOK_NANOS);
        }
        note(who + " returns from " + call);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return true;
    }

    void note(String line) {
        synchronized (Control.class) {
            try {
                Files.writeString(
                        directory.resolve("journal"),
                        line + "\n",
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
