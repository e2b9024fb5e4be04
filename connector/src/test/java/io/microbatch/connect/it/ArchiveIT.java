package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;

/** The content of the archive that users install, and the files that it must not contain. */
class ArchiveIT {

    private static final List<String> OWN = List.of(
            "kafka-connect-microbatch-", "HdrHistogram-", "sqlite-jdbc-", "netty-", "jackson-core-", "postgresql-");

    private static final Path ARCHIVE = Path.of(System.getProperty("plugin.archive"));

    @Test
    void containsNoClassThatTheWorkerProvides() throws IOException {
        List<String> jars = entries().keySet().stream()
                .filter(name -> name.endsWith(".jar"))
                .map(name -> name.substring(name.lastIndexOf('/') + 1))
                .toList();

        assertThat(jars).isNotEmpty();
        assertThat(jars)
                .allMatch(jar -> OWN.stream().anyMatch(jar::startsWith))
                .noneMatch(jar -> jar.contains("-native-") && !jar.contains("-native-unix-common"));
    }

    @Test
    void containsLicenceAndManifest() throws IOException {
        assertThat(entries().keySet())
                .anyMatch(name -> name.endsWith("/manifest.json"))
                .anyMatch(name -> name.endsWith("/doc/LICENSE"));
    }

    @Test
    void declaresEveryPluginForTheServiceLoader() throws IOException {
        assertThat(services("org.apache.kafka.connect.source.SourceConnector")).containsExactly(Cluster.CONNECTOR);
        String transforms = "io.microbatch.connect.transforms.";
        assertThat(services("org.apache.kafka.connect.storage.Converter"))
                .containsExactly("io.microbatch.connect.bulk.BulkConverter", transforms + "DeadLetterConverter");
        assertThat(services("org.apache.kafka.connect.storage.HeaderConverter"))
                .containsExactly(transforms + "DeadLetterConverter", transforms + "MixedHeaderConverter");
        assertThat(services("org.apache.kafka.connect.transforms.Transformation"))
                .containsExactly(
                        transforms + "ObservePressure",
                        transforms + "RouteByPressure",
                        transforms + "StampPressure",
                        transforms + "UnpackBulk");
    }

    private static List<String> services(String type) throws IOException {
        StringBuilder announced = new StringBuilder();
        for (Map.Entry<String, byte[]> entry : entries().entrySet()) {
            if (entry.getKey().contains("/kafka-connect-microbatch-")
                    && entry.getKey().endsWith(".jar")) {
                announced.append(service(entry.getValue(), type));
            }
        }
        return announced.toString().lines().sorted().toList();
    }

    private static String service(byte[] jar, String type) throws IOException {
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(jar))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                if (entry.getName().equals("META-INF/services/" + type)) {
                    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
                }
            }
        }
        return "";
    }

    private static Map<String, byte[]> entries() throws IOException {
        Map<String, byte[]> entries = new HashMap<>();
        try (ZipFile zip = new ZipFile(ARCHIVE.toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                try (InputStream in = zip.getInputStream(entry)) {
                    entries.put(entry.getName(), in.readAllBytes());
                }
            }
        }
        return entries;
    }
}
