package io.microbatch.connect.calibration;

import static io.microbatch.connect.calibration.CalibrationPath.fileName;
import static io.microbatch.connect.calibration.Samples.KEY;
import static io.microbatch.connect.calibration.Samples.file;
import static io.microbatch.connect.calibration.Samples.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CalibrationPathTest {
    private static final List<String> UNSAFE = List.of(
            "..",
            ".",
            "",
            "../../etc/passwd",
            "/etc/passwd",
            "a/b",
            "a\\b",
            "a?b",
            "a:b",
            "file:a",
            ":resource:a",
            ":memory:",
            "a\0b",
            "a\nb",
            "Orders",
            "ORDERS",
            "bestellungen-\u00fc",
            "\u6ce8\u6587",
            "\ud83d\ude80",
            " ",
            "a%2fb",
            "x".repeat(101),
            "x".repeat(102),
            "x".repeat(5000),
            "y".repeat(5000) + "1",
            "y".repeat(5000) + "2");

    @TempDir
    Path directory;

    @Test
    void keepsAnOrdinaryNameReadable() {
        assertThat(fileName("orders-eu_1.v2", 3)).isEqualTo("orders-eu_1.v2-3.calibration");
    }

    @Test
    void givesEveryConnectorAndTaskADistinctSafeName() {
        Set<String> names = new HashSet<>(List.of(fileName("a-1", 0), fileName("a", 10), fileName("a", 1)));
        assertThat(names).hasSize(3);
        for (String unsafe : UNSAFE) {
            String name = fileName(unsafe, 0);
            assertThat(name).matches("[a-z0-9_]*~[0-9a-f]{24}-0\\.calibration").hasSizeLessThan(128);
            assertThat(names.add(name)).as("%s is new", name).isTrue();
            // A connector whose name equals the encoding of another name gets a file of its own as well.
            String twin = name.substring(0, name.length() - "-0.calibration".length());
            assertThat(names.add(fileName(twin, 0))).as("%s is new", twin).isTrue();
        }
    }

    @Test
    void opensAFileInTheDirectoryForEveryUnsafeName() throws Exception {
        for (String unsafe : UNSAFE.subList(0, 12)) {
            CalibrationKey key = new CalibrationKey(unsafe, 0, "", "", "", "");
            open(directory, key, StoreLimits.DEFAULT).close();
            assertThat(directory.resolve(fileName(unsafe, 0))).isRegularFile();
        }
        try (var parent = Files.list(directory)) {
            assertThat(parent.filter(Files::isDirectory))
                    .as("no extracted file remains")
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "/tmp/x?journal_mode=off",
                "file:/tmp/x",
                "FILE:/tmp/x",
                ":resource:http://example.org/x",
                "/tmp/:resource:x",
                "/tmp/a\0b"
            })
    void refusesAnInvalidPath(String text) {
        assertFault(text, CalibrationFault.BAD_PATH);
        assertThatThrownBy(() -> CalibrationPath.prepare(text, KEY))
                .extracting(Throwable::getMessage)
                .asString()
                .doesNotContain("\0");
    }

    @Test
    void followsALinkToTheDirectoryButNotToTheFile() throws Exception {
        Path real = Files.createDirectory(directory.resolve("real"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), real);
        assertThat(CalibrationPath.prepare(link.toString(), KEY).file()).isEqualTo(file(real.toRealPath()));

        Path target = Files.writeString(directory.resolve("target"), "untouched");
        for (String suffix : List.of("", "-wal", "-journal", "-shm", ".lock")) {
            Path planted = Path.of(file(real) + suffix);
            Files.deleteIfExists(planted);
            Files.createSymbolicLink(planted, target);
            assertFault(real.toString(), CalibrationFault.LINK_REFUSED);
            Files.delete(planted);
        }
        Files.createSymbolicLink(file(real), directory.resolve("dangling"));
        assertFault(real.toString(), CalibrationFault.LINK_REFUSED);
        assertThat(target).hasContent("untouched");
        assertThat(directory.resolve("dangling")).doesNotExist();
    }

    @Test
    void sqliteRefusesALinkThatAppearsAfterTheCheck() throws Exception {
        open(directory).close();
        Path link = Files.createSymbolicLink(directory.resolve("link"), file(directory));
        assertThatThrownBy(() -> SqliteFile.open(link, StoreLimits.DEFAULT)).isInstanceOf(CalibrationException.class);
    }

    @Test
    void refusesADirectoryOrAPipeInsteadOfTheFile() throws IOException, InterruptedException {
        Files.createDirectory(file(directory));
        assertFault(directory.toString(), CalibrationFault.NOT_A_FILE);
        Files.delete(file(directory));
        // Opening a pipe without a writer would block for ever.
        int exit =
                new ProcessBuilder("mkfifo", file(directory).toString()).start().waitFor();
        assertThat(exit).isZero();
        assertFault(directory.toString(), CalibrationFault.NOT_A_FILE);
    }

    @Test
    void reportsADirectoryThatCannotBeCreated() throws Exception {
        Path occupied = Files.createFile(directory.resolve("occupied"));
        assertFault(occupied.toString(), CalibrationFault.NOT_WRITABLE);
        assertFault(occupied.resolve("below").toString(), CalibrationFault.NOT_WRITABLE);
        assertFault("/proc/none", CalibrationFault.NOT_WRITABLE);
        assertFault("/proc/self", CalibrationFault.NOT_WRITABLE);
    }

    private static void assertFault(String directory, CalibrationFault fault) {
        assertThatThrownBy(() -> CalibrationStore.open(directory, KEY, StoreLimits.DEFAULT, Samples.CLOCK))
                .isInstanceOfSatisfying(
                        CalibrationException.class, e -> assertThat(e.fault()).isEqualTo(fault));
    }
}
