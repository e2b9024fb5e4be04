package io.microbatch.connect.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.console.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavedFilesTest {

    private static final Map<String, String> CONFIG = Map.of("connector.class", "a.B", "database.password", "hunter2");

    @TempDir
    private Path directory;

    /** Of names of partitions, each followed by its position. */
    private static Offsets offsets(String... entries) throws IOException {
        StringBuilder json = new StringBuilder();
        for (int i = 0; i < entries.length; i += 2) {
            String offset = entries[i + 1].equals("null") ? "null" : "{\"p\":" + entries[i + 1] + "}";
            json.append(i == 0 ? "" : ",")
                    .append("{\"partition\":{\"f\":\"" + entries[i] + "\"},\"offset\":" + offset + "}");
        }
        return Offsets.of(Json.read(("{\"offsets\":[" + json + "]}").getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void keepsEveryConfigurationAndLetsOnlyItsOwnerReadIt() throws IOException {
        SavedFiles files = new SavedFiles(directory, "orders/eu");

        Path first = files.saveConfig("plain", CONFIG);
        Path second = files.saveConfig("plain", Map.of("connector.class", "a.C"));

        assertThat(first.getParent()).isEqualTo(directory);
        assertThat(first.getFileName().toString()).matches("orders_eu-[0-9a-f]{8}\\.plain\\.json");
        assertThat(second.getFileName().toString()).matches("orders_eu-[0-9a-f]{8}\\.plain\\.1\\.json");
        assertThat(files.saveConfig("plain", CONFIG)).as("the same again").isEqualTo(first);
        assertThat(SavedFiles.readConfig(first)).isEqualTo(CONFIG);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(first)))
                .isEqualTo("rw-------");
        try (var all = Files.list(directory)) {
            assertThat(all).containsExactlyInAnyOrder(first, second);
        }
    }

    @Test
    void namesTheFilesOfTwoConnectorsDifferently() throws IOException {
        Path plain = new SavedFiles(directory, "orders_eu").saveConfig("plain", CONFIG);
        assertThat(plain).isEqualTo(directory.resolve("orders_eu.plain.json"));
        assertThat(new SavedFiles(directory, "orders/eu").offsetsFile())
                .isNotEqualTo(new SavedFiles(directory, "orders_eu").offsetsFile())
                .isNotEqualTo(new SavedFiles(directory, "orders:eu").offsetsFile());
    }

    /** Somebody has replaced a placeholder by the password, and its quotes with it. */
    @Test
    void doesNotQuoteAFileThatIsNoJson() throws IOException {
        Path broken = Files.writeString(
                directory.resolve("broken.json"), "{\"connector.class\": \"a.B\",\n\"database.password\": hunter2}");
        assertThatThrownBy(() -> SavedFiles.readConfig(broken))
                .isInstanceOf(IOException.class)
                .hasMessage(broken + " holds no configuration: not JSON: see line 2")
                .hasRootCauseMessage("not JSON: see line 2");
    }

    @Test
    void keepsAFileThatItCannotRead() throws IOException {
        Path broken = Files.writeString(directory.resolve("shop.plain.json"), "{ half");

        Path saved = new SavedFiles(directory, "shop").saveConfig("plain", CONFIG);

        assertThat(saved).isEqualTo(directory.resolve("shop.plain.1.json"));
        assertThat(broken).hasContent("{ half");
    }

    @Test
    void knowsASnapshotThatHasNotEnded() throws IOException {
        for (String running : new String[] {
            "\"snapshot\":\"INITIAL\",\"snapshot_completed\":false",
            "\"snapshot\":true",
            "\"snapshot\":\"INITIAL\",\"last_snapshot_record\":false",
            "\"sec\":1,\"ord\":2,\"initsync\":true"
        }) {
            assertThat(debezium(running).inSnapshot()).as(running).containsExactly("{\"server\":\"s\"}");
        }
        for (String ended : new String[] {
            "\"lsn\":1",
            "\"snapshot\":\"INITIAL\",\"snapshot_completed\":true",
            "\"snapshot\":false",
            "\"snapshot\":null",
            "\"sec\":1,\"ord\":2",
            "\"sec\":1,\"initsync\":false",
            "\"snapshot\":true,\"last_snapshot_record\":true"
        }) {
            assertThat(debezium(ended).inSnapshot()).as(ended).isEmpty();
        }
        assertThat(offsets("a", "null").inSnapshot()).isEmpty();
    }

    private static Offsets debezium(String offset) throws IOException {
        String json = "{\"offsets\":[{\"partition\":{\"server\":\"s\"},\"offset\":{" + offset + "}}]}";
        return Offsets.of(Json.read(json.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void readsTheFormOfANewConnectorToo() throws IOException {
        Path file = Files.writeString(
                directory.resolve("a.json"), "{\"name\":\"a\",\"config\":{\"connector.class\":\"a.B\",\"n\":null}}");

        assertThat(SavedFiles.readConfig(file)).isEqualTo(Map.of("connector.class", "a.B"));
    }

    @Test
    void keepsTheOffsetsUntilTheyAreForgotten() throws IOException {
        SavedFiles files = new SavedFiles(directory, "shop");
        Offsets offsets = offsets("a", "9007199254740993");

        assertThat(files.leftOffsets()).isEmpty();
        files.saveOffsets(offsets);
        assertThat(files.leftOffsets()).contains(offsets);
        files.forgetOffsets();
        assertThat(files.leftOffsets()).isEmpty();
    }

    @Test
    void findsEveryDifferenceOfOffsets() throws IOException {
        Offsets before = offsets("a", "1", "b", "2", "c", "null");
        Offsets reordered = offsets("c", "null", "b", "2", "a", "1");
        Offsets other = offsets("a", "1", "b", "3", "d", "4");

        assertThat(before.differences(reordered)).isEmpty();
        assertThat(reordered).isEqualTo(before);
        assertThat(before.differences(other))
                .containsExactly(
                        "{\"f\":\"b\"} was at {\"p\":2} and is at {\"p\":3}",
                        "{\"f\":\"c\"} has no offset any more; it was at null",
                        "{\"f\":\"d\"} had no offset and is at {\"p\":4}");
        assertThat(before.missingIn(other)).containsExactly("{\"f\":\"c\"}");
    }
}
