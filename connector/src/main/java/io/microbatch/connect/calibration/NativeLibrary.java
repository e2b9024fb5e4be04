package io.microbatch.connect.calibration;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.sqlite.SQLiteJDBCLoader;

/**
 * Loads SQLite's native library, once per plugin class loader, from a private directory (0700) that exists only during
 * the load. By default the driver extracts it into the system's temporary directory, which every user can write to and
 * which hardened hosts mount noexec.
 *
 * <p>The operator's {@code org.sqlite.tmpdir} or {@code org.sqlite.lib.path} takes precedence.
 */
final class NativeLibrary {
    static final String TMPDIR = "org.sqlite.tmpdir";
    private static final String LIB_PATH = "org.sqlite.lib.path";
    /** A name that nobody else gives: what is left over is deleted. */
    private static final String PREFIX = "microbatch-native-";

    /** No JVM takes longer to load the library. */
    private static final Duration LOADING = Duration.ofHours(1);

    /** More than the largest library in the driver's jar. */
    private static final long LIBRARY_MAX_BYTES = 4L << 20;

    /** The lock exists once per JVM, like the property. Literals are interned across class loaders. */
    private static final String JVM_WIDE_LOCK = "io.microbatch.connect.calibration.NativeLibrary";

    /** Whether this plugin's SQLite is loaded. Guarded by the lock. */
    private static boolean loaded;

    /** The driver's loader, or a test's. */
    @FunctionalInterface
    interface Loader {
        /** Returns whether the library is loaded. May throw anything, including errors. */
        boolean load() throws Exception;
    }

    private NativeLibrary() {}

    /** Loads the library unless it is loaded. Throws NO_NATIVE_LIBRARY, never an error, if it cannot be loaded. */
    static void load(Path directory) throws CalibrationException {
        synchronized (JVM_WIDE_LOCK) {
            if (!loaded) {
                load(directory, SQLiteJDBCLoader::initialize);
                loaded = true;
            }
        }
    }

    static void load(Path directory, Loader loader) throws CalibrationException {
        synchronized (JVM_WIDE_LOCK) {
            if (System.getProperty(TMPDIR) != null || System.getProperty(LIB_PATH) != null) {
                loadFrom("the directory that org.sqlite.tmpdir or org.sqlite.lib.path names", loader);
                return;
            }
            deleteLeft(directory);
            Path own = createPrivateDirectory(directory);
            System.setProperty(TMPDIR, own.toString());
            try {
                loadFrom(directory.toString(), loader);
            } catch (CalibrationException e) {
                throw isFull(directory)
                        ? new CalibrationException(CalibrationFault.DISK_FULL, directory + ": no space left", e)
                        : e;
            } finally {
                System.clearProperty(TMPDIR);
                // A mapped library needs no name. Nothing remains on disk, even after a kill -9.
                deleteQuietly(own);
            }
        }
    }

    private static void loadFrom(String place, Loader loader) throws CalibrationException {
        Throwable cause = null;
        try {
            if (loader.load()) {
                return;
            }
        } catch (Exception | LinkageError e) {
            cause = e;
        }
        throw new CalibrationException(
                CalibrationFault.NO_NATIVE_LIBRARY,
                "SQLite's native library cannot be loaded from " + place + (cause == null ? "" : ": " + cause),
                cause);
    }

    /**
     * Whether the disk is full. The driver does not report why it could not extract, and a full disk has another remedy
     * than a noexec mount.
     */
    private static boolean isFull(Path directory) {
        try {
            return Files.getFileStore(directory).getUsableSpace() < LIBRARY_MAX_BYTES;
        } catch (IOException e) {
            return false;
        }
    }

    private static Path createPrivateDirectory(Path directory) throws CalibrationException {
        try {
            return Files.createTempDirectory(directory, PREFIX, CalibrationPath.ownerOnly("rwx------"));
        } catch (IOException e) {
            throw CalibrationException.of(e, directory);
        }
    }

    /** A JVM that was killed while it loaded the library has left its directory. Another one may load it just now. */
    private static void deleteLeft(Path directory) {
        Instant left = Instant.now().minus(LOADING);
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(directory, PREFIX + "*")) {
            for (Path each : directories) {
                if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)
                        && Files.getLastModifiedTime(each).toInstant().isBefore(left)) {
                    deleteQuietly(each);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // The next attempt to load it tries again.
            return;
        }
    }

    private static void deleteQuietly(Path directory) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Files.delete(file);
            }
            Files.delete(directory);
        } catch (IOException e) {
            // On Windows a loaded library cannot be deleted; the driver deletes it when the JVM ends.
            return;
        }
    }
}
