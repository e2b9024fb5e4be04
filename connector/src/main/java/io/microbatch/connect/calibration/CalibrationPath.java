package io.microbatch.connect.calibration;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The path of a task's calibration file. The operator chooses the directory. The file's name follows from the
 * connector's name and the task's number, and differs from every other task's.
 *
 * <p>No Java code may open the database file. Closing any descriptor of a file drops all POSIX locks of the process on
 * it, including SQLite's.
 */
record CalibrationPath(Path directory, Path file) {
    /** The suffixes of the files that SQLite creates next to the database. */
    static final List<String> COMPANIONS = List.of("-wal", "-journal", "-shm");

    private static final String EXTENSION = ".calibration";
    /** Lower case only, because "Orders" and "orders" are one name on some file systems. */
    private static final Pattern PLAIN = Pattern.compile("[a-z0-9][a-z0-9._-]{0,99}");

    private static final int READABLE_PREFIX = 40;
    private static final boolean POSIX =
            Path.of("").getFileSystem().supportedFileAttributeViews().contains("posix");

    /**
     * Creates the directory (0700) and the empty file (0600) if they are missing. Rejects everything but a plain file.
     */
    static CalibrationPath prepare(String directory, CalibrationKey key) throws CalibrationException {
        Path path = directoryOf(directory);
        try {
            // The operator's directory may contain links. From here on only its real path is used.
            Path real = createDirectory(path).toRealPath();
            Path file = real.resolve(fileName(key.connector(), key.task())).normalize();
            if (!real.equals(file.getParent())) {
                throw new CalibrationException(CalibrationFault.BAD_PATH, file + " is not inside " + real);
            }
            CalibrationPath result = new CalibrationPath(real, file);
            result.requireFiles();
            result.createPrivately();
            return result;
        } catch (IOException e) {
            throw CalibrationException.of(e, path);
        }
    }

    /** A separate lock file, because Java must not open the database. */
    Path lockFile() {
        return sibling(".lock");
    }

    Path sibling(String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
    }

    /** A name that is safe on every file system, bounded in length, and different for different names. */
    static String fileName(String connector, int task) {
        String name = connector;
        if (!PLAIN.matcher(connector).matches()) {
            String readable = connector.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "_");
            // No plain name contains a tilde, so that no connector's name can equal the encoding of another one.
            name = readable.substring(0, Math.min(READABLE_PREFIX, readable.length())) + "~" + digest(connector);
        }
        return name + "-" + task + EXTENSION;
    }

    /** Attributes that grant access to the owner only. None if the file system has no such attributes. */
    static FileAttribute<?>[] ownerOnly(String permissions) {
        return POSIX
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static Path directoryOf(String text) throws CalibrationException {
        // The driver reads pragmas after a question mark and fetches URLs after ":resource:". SQLite
        // interprets "file:" itself.
        String lower = text.toLowerCase(Locale.ROOT);
        if (text.isBlank() || text.contains("?") || lower.contains("file:") || lower.contains(":resource:")) {
            throw new CalibrationException(CalibrationFault.BAD_PATH, "not a plain directory path: " + printable(text));
        }
        try {
            return Path.of(text).toAbsolutePath();
        } catch (InvalidPathException e) {
            throw new CalibrationException(CalibrationFault.BAD_PATH, "not a path: " + printable(text), e);
        }
    }

    private static Path createDirectory(Path path) throws IOException {
        return Files.isDirectory(path) ? path : Files.createDirectories(path, ownerOnly("rwx------"));
    }

    private void requireFiles() throws IOException, CalibrationException {
        requireFile(file);
        requireFile(lockFile());
        for (String companion : COMPANIONS) {
            requireFile(sibling(companion));
        }
    }

    /**
     * Called before the file is opened, because opening a pipe would block, and a link would lead out of the directory.
     */
    private static void requireFile(Path path) throws IOException, CalibrationException {
        BasicFileAttributes attributes;
        try {
            attributes = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return;
        }
        if (attributes.isSymbolicLink()) {
            throw new CalibrationException(CalibrationFault.LINK_REFUSED, path + " is a symbolic link");
        }
        if (!attributes.isRegularFile()) {
            throw new CalibrationException(CalibrationFault.NOT_A_FILE, path + " is not a plain file");
        }
    }

    private void createPrivately() throws IOException {
        try {
            // Nobody else has a new file open, so that closing it drops no lock.
            Files.createFile(file, ownerOnly("rw-------"));
        } catch (FileAlreadyExistsException e) {
            if (POSIX) {
                Set<PosixFilePermission> ownerOnly = PosixFilePermissions.fromString("rw-------");
                Files.setPosixFilePermissions(file, ownerOnly);
            }
        }
    }

    private static String digest(String text) {
        try {
            byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sha256, 0, 12);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
