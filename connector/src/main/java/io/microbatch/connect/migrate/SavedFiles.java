package io.microbatch.connect.migrate;

import io.microbatch.connect.console.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * The files of a move: the configuration that it replaces, which stays, and the offsets of the stopped connector, which
 * go when the move has ended. They are bodies of requests. Only their owner can read them, because a configuration can
 * hold secrets. One thread.
 */
final class SavedFiles {

    private static final FileAttribute<?>[] OWNER_ONLY =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                    ? new FileAttribute<?>[] {
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                    }
                    : new FileAttribute<?>[0];

    private final Path directory;
    private final String name;

    /**
     * Names the files.
     *
     * @param directory where they are
     * @param connector the connector, whose name is part of theirs
     */
    SavedFiles(Path directory, String connector) {
        this.directory = directory;
        String safe = connector.replaceAll("[^A-Za-z0-9._-]", "_");
        // The files of a/b and a_b must not be the same.
        this.name = safe.equals(connector) ? safe : safe + "-" + checksum(connector);
    }

    private static String checksum(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return String.format(Locale.ROOT, "%08x", crc.getValue());
    }

    /**
     * Saves a configuration under a name that no other configuration has.
     *
     * @param kind {@code plain} or {@code hosted}
     */
    Path saveConfig(String kind, Map<String, String> config) throws IOException {
        for (int number = 0; ; number++) {
            Path file = directory.resolve(name + "." + kind + (number == 0 ? "" : "." + number) + ".json");
            if (!Files.exists(file)) {
                write(file, new TreeMap<>(config));
                return file;
            }
            if (holds(file, config)) {
                return file;
            }
        }
    }

    private static boolean holds(Path file, Map<String, String> config) {
        try {
            return readConfig(file).equals(config);
        } catch (IOException e) {
            // Something else, or half of a file, which stays as it is.
            return false;
        }
    }

    /**
     * Reads a configuration: a map of texts, or one below {@code config}.
     *
     * @throws IOException if the file holds none
     */
    static Map<String, String> readConfig(Path file) throws IOException {
        Map<String, Object> tree = Json.object(parsed(file));
        Map<String, Object> settings = tree.get("config") instanceof Map<?, ?> inner ? Json.object(inner) : tree;
        Map<String, String> config = new TreeMap<>();
        settings.forEach((key, value) -> {
            if (value != null) {
                config.put(key, value.toString());
            }
        });
        if (!config.containsKey("connector.class")) {
            throw new IOException(file + " holds no configuration: connector.class is missing");
        }
        return config;
    }

    private static Object parsed(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        try {
            return Json.read(bytes);
        } catch (IOException e) {
            throw new IOException(file + " holds no configuration: " + e.getMessage(), e);
        }
    }

    /** Saves the offsets for a later run, in case that this one does not end. */
    void saveOffsets(Offsets offsets) throws IOException {
        write(offsetsFile(), offsets.body());
    }

    /** The offsets that a run has left that did not end. */
    Optional<Offsets> leftOffsets() throws IOException {
        Path file = offsetsFile();
        return Files.exists(file) ? Optional.of(Offsets.of(Json.read(Files.readAllBytes(file)))) : Optional.empty();
    }

    /** Forgets the offsets: the connector runs, and they move on. */
    void forgetOffsets() throws IOException {
        boolean ignored = Files.deleteIfExists(offsetsFile());
    }

    Path offsetsFile() {
        return directory.resolve(name + ".offsets.json");
    }

    /** A process that dies leaves the old file or the new one, and no half of it. */
    private void write(Path file, Object tree) throws IOException {
        Path directories = Files.createDirectories(directory.toAbsolutePath());
        Path part = Files.createTempFile(directories, name, ".part", OWNER_ONLY);
        try {
            Files.write(part, Json.write(tree));
            Path ignored = Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            boolean ignored = Files.deleteIfExists(part);
        }
    }
}
