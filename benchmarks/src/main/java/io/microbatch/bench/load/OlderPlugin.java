package io.microbatch.bench.load;

import io.microbatch.connect.common.Version;
import io.microbatch.testbed.PluginArchive;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Puts an older build of this plugin on a worker's plugin path, next to today's. It gets a version of its own, because
 * most builds have that of the next release (KIP-891).
 */
public final class OlderPlugin {

    private static final String VERSION = "0.0.0-older";
    private static final String RESOURCE =
            Version.class.getName().replace(".Version", "").replace('.', '/') + "/version.properties";

    /** The adaptive connector of the older build. */
    public static final Map<String, String> SETTINGS =
            Map.of("batch.mode", "adaptive", "connector.plugin.version", VERSION);

    private OlderPlugin() {}

    /**
     * Adds the archive to a {@code plugin.path} entry.
     *
     * @throws IllegalArgumentException if the archive is none of this plugin
     */
    public static void install(Path archive, Path plugins) {
        Path directory = plugins.resolve("older");
        PluginArchive.unpack(archive, directory);
        int renamed = 0;
        for (Path jar : jars(directory)) {
            renamed += rename(jar) ? 1 : 0;
        }
        if (renamed != 1) {
            throw new IllegalArgumentException(archive + " has " + renamed + " jars with a " + RESOURCE);
        }
    }

    private static List<Path> jars(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".jar")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean rename(Path jar) {
        try (FileSystem inside = FileSystems.newFileSystem(jar)) {
            Path version = inside.getPath(RESOURCE);
            if (!Files.exists(version)) {
                return false;
            }
            Path ignored = Files.writeString(version, "version=" + VERSION + "\n");
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
