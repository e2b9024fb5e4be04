package io.microbatch.connect.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the Python reader, written from the specification only, with the Java reader. Needs python3 on the PATH. */
class PythonReaderTest {

    private static final Path SCRIPT = Path.of("../config-examples/python/read_bulk.py");

    @TempDir
    private Path directory;

    @BeforeAll
    static void needsPython() {
        assumeTrue(isThere(), "SKIPPED: no python3 on the PATH, so config-examples/python/read_bulk.py was not tested");
    }

    private static boolean isThere() {
        try {
            return new ProcessBuilder("python3", "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    static List<Golden> goldens() {
        return Golden.all();
    }

    @ParameterizedTest
    @MethodSource("goldens")
    void readsTheGoldenRecords(Golden golden) throws IOException, InterruptedException {
        Answer answer = read(golden.record());
        assertThat(answer.errors()).isEmpty();
        assertThat(answer.lines()).isEqualTo(lines(golden.events()));
        assertThat(answer.exit()).isZero();
    }

    @RepeatedTest(10)
    void readsTheRecordsOfTheJavaWriter(RepetitionInfo repetition) throws IOException, InterruptedException {
        RandomRecords records = new RandomRecords(1_000 + repetition.getCurrentRepetition());
        int flags = records.flags();
        BulkRecordBuilder builder = new BulkRecordBuilder(records.writer(flags), 1 << 22);
        List<BulkEvent> events = records.events(flags);
        events.forEach(event -> assertThat(builder.append(event.key(), event.timestampMs(), event.value()))
                .isTrue());
        assertThat(read(builder.build()).lines()).isEqualTo(lines(events));
    }

    @Test
    void rejectsTheRecordsThatTheJavaReaderRejects() throws IOException, InterruptedException {
        byte[] record = Golden.of("v1-full").record();
        List<byte[]> damaged = List.of(
                Arrays.copyOf(record, record.length - 1),
                Damaged.resealed(Arrays.copyOf(record, record.length - 1)),
                Damaged.resealed(Arrays.copyOf(record, record.length + 1)),
                Damaged.flipped(record, 8 * 30),
                Damaged.resealed(Damaged.flipped(record, 8 * BulkFormat.VERSION_OFFSET)),
                Damaged.resealed(Damaged.flipped(record, 8 * BulkFormat.FLAGS_OFFSET + 3)),
                Damaged.resealed(Damaged.flipped(record, 8 * BulkFormat.COUNT_OFFSET)));
        for (byte[] bytes : damaged) {
            Answer answer = read(bytes);
            assertThat(answer.errors()).startsWith("read_bulk: ");
            assertThat(answer.lines()).isEmpty();
            assertThat(answer.exit()).isEqualTo(1);
        }
    }

    private record Answer(int exit, List<String> lines, String errors) {}

    private Answer read(byte[] record) throws IOException, InterruptedException {
        Path in = Files.write(directory.resolve("record"), record);
        Path out = directory.resolve("out");
        Path errors = directory.resolve("errors");
        int exit = new ProcessBuilder("python3", SCRIPT.toString())
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(errors.toFile())
                .start()
                .waitFor();
        return new Answer(exit, Files.readAllLines(out), Files.readString(errors, StandardCharsets.UTF_8));
    }

    private static List<String> lines(List<BulkEvent> events) {
        return events.stream()
                .map(event -> (event.timestampMs() == BulkFormat.NO_TIMESTAMP ? "-" : "" + event.timestampMs()) + " "
                        + text(event.key()) + " " + text(event.value()))
                .toList();
    }

    private static String text(byte[] bytes) {
        return bytes == null ? "-" : bytes.length == 0 ? "\"\"" : HexFormat.of().formatHex(bytes);
    }
}
