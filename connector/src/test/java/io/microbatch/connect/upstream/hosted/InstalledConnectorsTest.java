package io.microbatch.connect.upstream.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstalledConnectorsTest {

    private static final String MANIFEST = "META-INF/services/org.apache.kafka.connect.source.SourceConnector";

    @TempDir
    Path pluginPath;

    private void jar(String path, String entry, String text) throws IOException {
        Path file = pluginPath.resolve(path);
        Files.createDirectories(file.getParent());
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file))) {
            jar.putNextEntry(new ZipEntry(entry));
            jar.write(text.getBytes(StandardCharsets.UTF_8));
            jar.closeEntry();
        }
    }

    @Test
    void listsTheConnectorsOfEveryManifestOnThePluginPath() throws IOException {
        jar("top.jar", MANIFEST, "org.example.Top");
        jar("plain/a.jar", MANIFEST, "org.example.B\norg.example.A\n");
        jar("hub/lib/c.jar", MANIFEST, "# a comment\n\n  org.example.C  # another\n");
        jar("plain/library.jar", "META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n");

        assertThat(InstalledConnectors.scan(pluginPath))
                .containsExactly("org.example.A", "org.example.B", "org.example.C", "org.example.Top");
    }

    @Test
    void omitsThisConnectorAndFilesThatAreNoJar() throws IOException {
        jar("ours/x.jar", MANIFEST, "io.microbatch.connect.MicrobatchSourceConnector");
        jar("theirs/readme.txt", MANIFEST, "org.example.NotAJar");
        assertThat(InstalledConnectors.scan(pluginPath)).isEmpty();
    }

    @Test
    void continuesAfterAnUnreadableJar() throws IOException {
        Files.writeString(pluginPath.resolve("broken.jar"), "not a zip");
        jar("whole.jar", MANIFEST, "org.example.Whole");
        assertThat(InstalledConnectors.scan(pluginPath)).containsExactly("org.example.Whole");
    }
}
