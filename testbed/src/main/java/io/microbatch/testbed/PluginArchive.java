package io.microbatch.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Installs a packaged plugin as a user does: by unpacking its archive. */
public final class PluginArchive {

    private PluginArchive() {}

    /**
     * Unpacks a plugin archive.
     *
     * @param pluginDir the directory to use as a {@code plugin.path} entry; the archive contains a directory of its own
     */
    public static void unpack(Path hubZip, Path pluginDir) {
        Path target = pluginDir.toAbsolutePath().normalize();
        try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(hubZip))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = target.resolve(entry.getName()).normalize();
                if (!file.startsWith(target)) {
                    throw new IllegalArgumentException(hubZip + " has an entry outside of its directory: " + entry);
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(file);
                } else {
                    Files.createDirectories(file.getParent());
                    Files.copy(zip, file, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
