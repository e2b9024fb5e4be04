package io.microbatch.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OlderPluginTest {

    private static final String VERSION = "io/microbatch/connect/common/version.properties";

    @TempDir
    private Path directory;

    @Test
    void hasAVersionOfItsOwn() throws IOException {
        Path archive = zip("archive.zip", "plugin/lib/transforms.jar", zip("some.jar", VERSION, "version=0.1.0"));
        OlderPlugin.install(archive, directory.resolve("plugins"));

        URL jar = directory
                .resolve("plugins/older/plugin/lib/transforms.jar")
                .toUri()
                .toURL();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {jar}, null)) {
            Properties version = new Properties();
            version.load(loader.getResourceAsStream(VERSION));
            assertThat(version).containsEntry("version", OlderPlugin.SETTINGS.get("connector.plugin.version"));
        }
    }

    @Test
    void refusesAnArchiveOfAnotherPlugin() throws IOException {
        Path archive = zip("archive.zip", "plugin/lib/other.jar", zip("some.jar", "other.properties", "version=0.1.0"));
        assertThatThrownBy(() -> OlderPlugin.install(archive, directory.resolve("plugins")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has 0 jars");
    }

    private Path zip(String name, String entry, String content) throws IOException {
        return zip(name, entry, Files.writeString(directory.resolve("content"), content));
    }

    private Path zip(String name, String entry, Path content) throws IOException {
        Path file = directory.resolve(name);
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            zip.putNextEntry(new ZipEntry(entry));
            Files.copy(content, zip);
        }
        return file;
    }
}
