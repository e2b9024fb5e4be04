package io.microbatch.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginArchiveTest {

    @TempDir
    private Path directory;

    @Test
    void unpacksTheArchivesOwnDirectory() throws IOException {
        PluginArchive.unpack(archive("owner-plugin-1/", "owner-plugin-1/lib/a.jar"), directory.resolve("plugins"));
        assertThat(directory.resolve("plugins/owner-plugin-1/lib/a.jar")).hasContent("owner-plugin-1/lib/a.jar");
    }

    @Test
    void refusesAnEntryOutsideOfTheDirectory() throws IOException {
        Path archive = archive("../outside.jar");
        assertThatThrownBy(() -> PluginArchive.unpack(archive, directory.resolve("plugins")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("../outside.jar");
        assertThat(directory.resolve("outside.jar")).doesNotExist();
    }

    private Path archive(String... entries) throws IOException {
        Path archive = directory.resolve("plugin.zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
            for (String entry : entries) {
                zip.putNextEntry(new ZipEntry(entry));
                if (!entry.endsWith("/")) {
                    zip.write(entry.getBytes(java.nio.charset.StandardCharsets.UTF_8));
                }
                zip.closeEntry();
            }
        }
        return archive;
    }
}
