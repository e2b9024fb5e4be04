package io.microbatch.connect.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether maximum records (N) and linger (T) are learned, and where the results are stored. The directory is absolute
 * and normalised; it is unused if nothing is learned. Immutable; any thread.
 */
public record CalibrationConfig(boolean enabled, Path directory) {

    private static final Logger log = LoggerFactory.getLogger(CalibrationConfig.class);

    static final String GROUP = "Calibration";

    public static final String ENABLED_CONFIG = "calibration.enabled";

    static final String ENABLED_DOC =
            "Whether maximum records (N) and linger (T) are learned and stored in one SQLite file per task. "
                    + "With false each level keeps its bootstrap values. If the disk cannot be written, true learns in "
                    + "memory and logs this once. Delivery never depends on it.";

    public static final String DIRECTORY_CONFIG = "calibration.directory";

    static final String DIRECTORY_DOC =
            "The directory of the calibration files on the worker's own disk (never a network file system). "
                    + "If the worker sets the system property microbatch.calibration.base, the directory must be "
                    + "inside that base, and a relative directory is resolved against it. Without the property the "
                    + "directory must be absolute. Default: the base directory, or .microbatch in the worker's home.";

    private static final String OTHER_REMEDIES =
            "leave it out, which at worst learns in memory, or set " + ENABLED_CONFIG + "=false, which learns nothing";

    /** The worker's system property that confines every connector's calibration directory. */
    public static final String BASE_PROPERTY = "microbatch.calibration.base";

    static void define(ConfigDef def) {
        KeyGroup keys = new KeyGroup(def, GROUP);
        keys.add(Importance.LOW, ENABLED_CONFIG, "Learn N and T", ENABLED_DOC).takes(Type.BOOLEAN, true, Width.SHORT);
        keys.add(Importance.LOW, DIRECTORY_CONFIG, "Calibration directory", DIRECTORY_DOC)
                .takes(Type.STRING, null, Width.LONG);
    }

    static CalibrationConfig from(AbstractConfig config) {
        boolean enabled = config.getBoolean(ENABLED_CONFIG);
        try {
            return new CalibrationConfig(enabled, resolve(config.getString(DIRECTORY_CONFIG), base()));
        } catch (IllegalArgumentException e) {
            // The setting may have been valid on the worker that validated it. Delivery continues without calibration.
            log.warn("Nothing is learned, N and T keep their bootstrap values: {}", e.getMessage());
            return new CalibrationConfig(false, Path.of(""));
        }
    }

    /**
     * The problem of a directory, in a sentence with the remedy. Empty if the directory is usable. Creates nothing.
     * Checks this worker, which may not be the one that runs the task.
     */
    static Optional<String> problemWith(String configured) {
        Path directory;
        try {
            directory = resolve(configured, base());
        } catch (IllegalArgumentException e) {
            return Optional.of(e.getMessage());
        }
        Path existing = directory;
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        if (existing == null) {
            return Optional.of(DIRECTORY_CONFIG + " is not on a file system of this worker");
        }
        if (!Files.isDirectory(existing)) {
            return Optional.of(DIRECTORY_CONFIG + " contains '" + existing
                    + "', which is a file and not a directory: name a directory, or " + OTHER_REMEDIES);
        }
        if (!Files.isWritable(existing) || readOnly(existing)) {
            return Optional.of("The worker's user may not write to '" + existing + "': make it writable, name another "
                    + DIRECTORY_CONFIG + ", or " + OTHER_REMEDIES);
        }
        return Optional.empty();
    }

    private static boolean readOnly(Path directory) {
        try {
            return Files.getFileStore(directory).isReadOnly();
        } catch (IOException e) {
            return false;
        }
    }

    private static Optional<Path> base() {
        String base = System.getProperty(BASE_PROPERTY);
        return base == null || base.isBlank()
                ? Optional.empty()
                : Optional.of(Path.of(base).toAbsolutePath().normalize());
    }

    private static Path resolve(String configured, Optional<Path> base) {
        if (configured == null || configured.isBlank()) {
            return base.orElseGet(() -> Path.of(System.getProperty("user.home", "."), ".microbatch")
                    .toAbsolutePath()
                    .normalize());
        }
        Path path;
        try {
            path = Path.of(configured);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(DIRECTORY_CONFIG + " is not a path: " + e.getReason(), e);
        }
        if (base.isEmpty() && !path.isAbsolute()) {
            throw new IllegalArgumentException(DIRECTORY_CONFIG
                    + " must be absolute, because this worker does not set the system property " + BASE_PROPERTY);
        }
        Path resolved = base.map(b -> b.resolve(path)).orElse(path).normalize();
        if (base.isPresent() && !resolved.startsWith(base.get())) {
            throw new IllegalArgumentException(
                    DIRECTORY_CONFIG + " must be inside the directory that this worker sets by " + BASE_PROPERTY + ", '"
                            + base.get() + "'");
        }
        return resolved;
    }
}
