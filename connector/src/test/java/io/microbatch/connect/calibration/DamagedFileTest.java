package io.microbatch.connect.calibration;

import static io.microbatch.connect.calibration.Samples.best;
import static io.microbatch.connect.calibration.Samples.file;
import static io.microbatch.connect.calibration.Samples.movedAside;
import static io.microbatch.connect.calibration.Samples.number;
import static io.microbatch.connect.calibration.Samples.observation;
import static io.microbatch.connect.calibration.Samples.open;
import static io.microbatch.connect.calibration.Samples.stored;
import static io.microbatch.connect.pressure.PressureLevel.L3_LOW;
import static io.microbatch.connect.pressure.PressureLevel.L5_BALANCED;
import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.learning.LevelBest;
import io.microbatch.connect.pressure.PressureLevel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every damage to the file: the store opens, or reports a typed fault, and never returns a best that was not written.
 * The JVM survives.
 */
class DamagedFileTest {
    private static final int PAGE_BYTES = 4096;
    private static final int ROWS = 60;

    @TempDir
    static Path shared;

    @TempDir
    Path directory;

    private static byte[] good;
    private static final Set<LevelBest> WRITTEN = new HashSet<>();

    @BeforeAll
    static void writeAGoodFile() throws Exception {
        try (CalibrationStore store = open(shared)) {
            for (PressureLevel level : new PressureLevel[] {L3_LOW, L5_BALANCED}) {
                for (int i = 0; i < ROWS; i++) {
                    store.append(observation(level, i));
                }
            }
            for (PressureLevel level : PressureLevel.values()) {
                store.putBest(best(level, 1));
                WRITTEN.add(best(level, 1));
            }
        }
        good = Files.readAllBytes(file(shared));
        assertThat(good.length / PAGE_BYTES)
                .as("pages: the test cuts the file at their boundaries")
                .isGreaterThan(6);
    }

    @Test
    void readsEveryRowOfTheUndamagedFile() throws Exception {
        Files.write(file(directory), good);
        try (CalibrationStore store = open(directory)) {
            assertThat(store.bests().values()).containsExactlyInAnyOrderElementsOf(WRITTEN);
        }
        assertThat(stored(directory, L3_LOW)).hasSize(ROWS).startsWith(observation(L3_LOW, ROWS - 1));
        assertThat(stored(directory, L5_BALANCED)).hasSize(ROWS);
    }

    @Test
    void treatsAnEmptyFileAsNew() throws Exception {
        Files.createFile(file(directory));
        try (CalibrationStore store = open(directory)) {
            assertThat(movedAside(directory)).isEmpty();
            store.append(observation(L3_LOW, 1));
        }
    }

    @Test
    void movesGarbageAsideAndCreatesANewFile() throws Exception {
        byte[] garbage = "no database\n".repeat(1000).getBytes(StandardCharsets.UTF_8);
        Files.write(file(directory), garbage);
        try (CalibrationStore store = open(directory)) {
            assertThat(movedAside(directory)).singleElement().satisfies(aside -> {
                assertThat(aside.getFileName())
                        .hasToString(file(directory).getFileName() + ".damaged-20261120T100000.000Z");
                assertThat(aside).hasBinaryContent(garbage);
            });
            store.append(observation(L3_LOW, 1));
        }
        assertThat(stored(directory, L3_LOW)).hasSize(1);
    }

    @Test
    void movesTheLogsWithTheirFile() throws Exception {
        CalibrationPath path = CalibrationPath.prepare(directory.toString(), Samples.KEY);
        Files.writeString(path.sibling("-wal"), "log");
        Path aside = SqliteFile.moveAside(path, Samples.CLOCK);
        assertThat(Path.of(aside + "-wal")).hasContent("log");
        assertThat(path.sibling("-wal")).doesNotExist();
        assertThat(path.file()).doesNotExist();
    }

    @Test
    void keepsThreeDamagedFilesAtMost() throws Exception {
        for (int i = 0; i < 5; i++) {
            Files.write(file(directory), new byte[] {1, 2, 3, (byte) i});
            Files.write(Path.of(file(directory) + "-wal"), new byte[] {4});
            Clock later = Clock.offset(Samples.CLOCK, Duration.ofHours(i));
            CalibrationStore.open(directory.toString(), Samples.KEY, StoreLimits.DEFAULT, later)
                    .close();
        }
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(p -> p.getFileName().toString()).filter(n -> n.contains("damaged-")))
                    .filteredOn(name -> !name.endsWith("-wal"))
                    .hasSize(3)
                    .noneMatch(name -> name.contains("T100000"));
        }
    }

    @Test
    void survivesTruncationAtEveryPageAndInBetween() throws Exception {
        int replaced = 0;
        for (int pages = 0; pages * PAGE_BYTES < good.length; pages++) {
            for (int extra : new int[] {0, 1, 17, 99, 100, 511, 2048, 4095}) {
                replaced += openDamaged(Arrays.copyOf(good, pages * PAGE_BYTES + extra)) ? 1 : 0;
            }
        }
        assertThat(replaced).as("truncated files that were recognised").isPositive();
    }

    @Test
    void detectsAnyPageOfZerosAtOpening() throws Exception {
        for (int page = 0; page * PAGE_BYTES < good.length; page++) {
            byte[] bytes = good.clone();
            Arrays.fill(bytes, page * PAGE_BYTES, (page + 1) * PAGE_BYTES, (byte) 0);
            Files.write(file(directory), bytes);
            open(directory).close();
            assertThat(movedAside(directory)).as("page %d", page).hasSize(1);
            Files.delete(movedAside(directory).get(0));
        }
    }

    @Test
    void neverReturnsARowWithAFlippedBit() throws Exception {
        int bestPage = (int) number(file(shared), "SELECT rootpage FROM sqlite_schema WHERE name = 'best'");
        int replaced = 0;
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            byte[] bytes = good.clone();
            // A third of the seeds damages the header and the schema, and a third the page of the rows that are read.
            int from = seed % 3 == 1 ? (bestPage - 1) * PAGE_BYTES : 0;
            int to = seed % 3 == 2 ? bytes.length : from + PAGE_BYTES;
            for (int flips = 1 + seed % 4; flips > 0; flips--) {
                bytes[random.nextInt(from, to)] ^= (byte) (1 << random.nextInt(8));
            }
            replaced += openDamaged(bytes) ? 1 : 0;
        }
        assertThat(replaced).as("flipped files that were recognised").isPositive();
    }

    @Test
    void survivesTheWriteAheadLogOfAnotherFile() throws Exception {
        byte[] log;
        try (CalibrationStore store = open(directory)) {
            store.append(observation(L3_LOW, 1));
            log = Files.readAllBytes(Path.of(file(directory) + "-wal"));
        }
        for (int cut : new int[] {log.length, log.length / 2, 32, 1}) {
            Files.write(Path.of(file(directory) + "-wal"), Arrays.copyOf(log, cut));
            openDamaged(good);
            Files.write(Path.of(file(directory) + "-wal"), Arrays.copyOf(log, cut));
            openDamaged(new byte[0]);
        }
    }

    @Test
    void recoversTheLogOfAKilledProcess() throws Exception {
        Path copy = Files.createDirectory(directory.resolve("copy"));
        try (CalibrationStore store = open(directory)) {
            store.append(observation(L3_LOW, 1));
            // The files on disk after a kill -9 at this moment. The process has no lock on the copies.
            Files.copy(Path.of(file(directory) + "-wal"), Path.of(file(copy) + "-wal"));
            Files.write(
                    file(copy),
                    new ProcessBuilder("cat", file(directory).toString())
                            .start()
                            .getInputStream()
                            .readAllBytes());
        }
        open(copy).close();
        assertThat(stored(copy, L3_LOW)).containsExactly(observation(L3_LOW, 1));
    }

    /** Opens the bytes as a calibration file. Returns whether the store recognised the damage. */
    private boolean openDamaged(byte[] bytes) throws IOException {
        for (Path aside : movedAside(directory)) {
            Files.delete(aside);
        }
        Files.write(file(directory), bytes);
        try (CalibrationStore store = open(directory)) {
            assertThat(WRITTEN).containsAll(store.bests().values());
            store.append(observation(L3_LOW, 7));
            return !movedAside(directory).isEmpty();
        } catch (CalibrationException e) {
            assertThat(e.fault()).isIn(CalibrationFault.CORRUPT, CalibrationFault.FOREIGN_FILE);
            return true;
        }
    }
}
