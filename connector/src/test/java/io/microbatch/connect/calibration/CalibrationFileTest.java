package io.microbatch.connect.calibration;

import static io.microbatch.connect.calibration.Samples.KEY;
import static io.microbatch.connect.calibration.Samples.best;
import static io.microbatch.connect.calibration.Samples.file;
import static io.microbatch.connect.calibration.Samples.observation;
import static io.microbatch.connect.calibration.Samples.open;
import static io.microbatch.connect.calibration.Samples.stored;
import static io.microbatch.connect.pressure.PressureLevel.L3_LOW;
import static io.microbatch.connect.pressure.PressureLevel.L5_BALANCED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CalibrationFileTest {
    /** Large enough for the schema and some rows. */
    private static final StoreLimits SMALL_DISK = new StoreLimits(2_000, 8, 10);

    @TempDir
    Path directory;

    private final List<String> warnings = new ArrayList<>();
    private long nowNanos = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(30);
    private int attempts;
    private CalibrationStore lastOpened;
    private StoreLimits limits = StoreLimits.DEFAULT;

    @Test
    void keepsRowsAcrossARestart() throws Exception {
        try (CalibrationFile file = openFile()) {
            file.append(observation(L3_LOW, 1));
            file.putBest(best(L3_LOW, 1));
            assertThat(file.isDurable()).isTrue();
            assertThat(file.droppedWrites()).isZero();
        }
        assertThat(stored(directory, L3_LOW)).containsExactly(observation(L3_LOW, 1));
        try (CalibrationFile file = openFile()) {
            assertThat(file.bests()).containsEntry(L3_LOW, best(L3_LOW, 1));
        }
        assertThat(warnings).isEmpty();
    }

    @Test
    void keepsRowsInMemoryWithoutADirectory() throws Exception {
        Files.createFile(directory.resolve("occupied"));
        try (CalibrationFile file = openFile(directory.resolve("occupied"))) {
            file.append(observation(L3_LOW, 1));
            file.putBest(best(L3_LOW, 1));
            assertThat(file.bests()).containsEntry(L3_LOW, best(L3_LOW, 1));
            assertThat(file.droppedWrites()).isEqualTo(2);
        }
        assertThat(warnings)
                .singleElement()
                .asString()
                .contains(directory.resolve("occupied").toString())
                .contains(CalibrationFault.NOT_WRITABLE.remedy())
                .doesNotContain("\n");
    }

    @Test
    void opensTheFileWithinSecondsOfTheEndOfAZombie() throws Exception {
        CalibrationStore zombie = open(directory);
        zombie.putBest(best(L3_LOW, 1));
        zombie.putBest(best(L5_BALANCED, 1));
        try (CalibrationFile file = openFile()) {
            file.putBest(best(L3_LOW, 2));
            assertThat(file.isDurable()).isFalse();
            zombie.close();
            passSeconds(4);
            file.retryIfDue();
            assertThat(file.isDurable()).as("before the pause is over").isFalse();
            passSeconds(1);
            file.retryIfDue();
            assertThat(file.isDurable()).isTrue();
            assertThat(file.droppedWrites()).isEqualTo(1);
            assertThat(file.bests())
                    .as("its own rows where it has some, otherwise the zombie's")
                    .containsEntry(L3_LOW, best(L3_LOW, 2))
                    .containsEntry(L5_BALANCED, best(L5_BALANCED, 1));
        }
        assertThat(warnings).hasSize(1);
    }

    @Test
    void continuesInMemoryWhileTheDiskIsFullAndReturnsToTheFile() throws Exception {
        limits = SMALL_DISK;
        int written = 0;
        try (CalibrationFile file = openFile()) {
            while (file.isDurable()) {
                file.append(observation(L3_LOW, written++));
                assertThat(written).as("the small disk is full").isLessThan(10_000);
            }
            assertThat(written).isGreaterThan(1);
            assertThat(warnings).singleElement().asString().contains(CalibrationFault.DISK_FULL.remedy());

            for (int i = 0; i < 59; i++) {
                passSeconds(1);
                file.append(observation(L3_LOW, i));
            }
            assertThat(attempts).as("within the minute").isEqualTo(1);
            for (int i = 0; i < 5; i++) {
                passSeconds(60);
                file.append(observation(L3_LOW, i));
            }
            assertThat(attempts).as("one in a minute").isEqualTo(6);
            assertThat(warnings).as("said once").hasSize(1);
            assertThat(file.droppedWrites()).isEqualTo(1 + 59 + 5);

            limits = StoreLimits.DEFAULT;
            passSeconds(60);
            file.append(observation(L3_LOW, 3));
            assertThat(file.isDurable()).isTrue();
            assertThat(file.droppedWrites()).isEqualTo(65);
        }
        assertThat(stored(directory, L3_LOW)).hasSize(written);
    }

    @Test
    void logsAFaultAgainAfterARecovery() throws Exception {
        try (CalibrationFile file = openFile()) {
            for (int round = 0; round < 3; round++) {
                lastOpened.close();
                file.append(observation(L3_LOW, 1));
                assertThat(warnings).hasSize(round + 1);
                passSeconds(60);
                file.append(observation(L3_LOW, 1));
            }
            assertThat(file.droppedWrites()).isEqualTo(3);
        }
        assertThat(attempts).isEqualTo(4);
        assertThat(stored(directory, L3_LOW))
                .as("the file is not locked any more")
                .hasSize(3);
        open(directory).close();
    }

    @Test
    void neverRetriesAFaultThatNeedsARestart() {
        CalibrationFile.Opener noLibrary = () -> {
            attempts++;
            throw new CalibrationException(CalibrationFault.NO_NATIVE_LIBRARY, "noexec");
        };
        try (CalibrationFile file = new CalibrationFile(noLibrary, () -> nowNanos, warnings::add)) {
            passSeconds(100_000);
            file.append(observation(L3_LOW, 1));
            assertThat(attempts).isEqualTo(1);
        }
        assertThat(warnings).singleElement().asString().contains("-Dorg.sqlite.tmpdir");
    }

    @Test
    void saysOnceForAllTasksOfAWorkerThatTheLibraryIsMissing() {
        List<List<String>> logs = new ArrayList<>();
        for (String place : List.of("of the worker", "of the worker", "of another directory")) {
            List<String> logged = new ArrayList<>();
            logs.add(logged);
            CalibrationFile.Opener noLibrary = () -> {
                throw new CalibrationException(CalibrationFault.NO_NATIVE_LIBRARY, "no library " + place);
            };
            try (CalibrationFile file = new CalibrationFile(noLibrary, () -> nowNanos, logged::add)) {
                file.putBest(best(L3_LOW, 1));
                assertThat(file.bests()).as("in memory").containsEntry(L3_LOW, best(L3_LOW, 1));
            }
        }
        assertThat(logs.stream().map(List::size)).containsExactly(1, 0, 1);
    }

    @Test
    void survivesUnexpectedErrors() {
        CalibrationFile.Opener broken = () -> {
            throw new NoClassDefFoundError("org/sqlite/Anything");
        };
        try (CalibrationFile file = new CalibrationFile(broken, () -> nowNanos, warnings::add)) {
            assertThat(file.isDurable()).isFalse();
        }
        assertThat(warnings).singleElement().asString().contains("org/sqlite/Anything");
    }

    @Test
    void ignoresARowWithAWrongChecksum() throws Exception {
        try (CalibrationFile file = openFile()) {
            file.putBest(best(L3_LOW, 1));
        }
        Samples.sql(file(directory), "UPDATE best SET linger_ms = 99");
        try (CalibrationFile file = openFile()) {
            assertThat(file.bests()).isEmpty();
        }
    }

    @Test
    void refusesAnotherThread() {
        try (CalibrationFile file = openFile()) {
            for (Runnable call : List.<Runnable>of(
                    () -> file.append(observation(L3_LOW, 1)), file::bests, file::retryIfDue, file::close)) {
                assertThatThrownBy(() -> CompletableFuture.runAsync(call).get())
                        .hasCauseInstanceOf(IllegalStateException.class);
            }
            assertThat(file.isDurable()).isTrue();
        }
    }

    private CalibrationFile openFile() {
        return openFile(directory);
    }

    private CalibrationFile openFile(Path where) {
        return new CalibrationFile(
                () -> {
                    attempts++;
                    lastOpened = open(where, KEY, limits);
                    return lastOpened;
                },
                () -> nowNanos,
                warnings::add);
    }

    private void passSeconds(long seconds) {
        nowNanos += TimeUnit.SECONDS.toNanos(seconds);
    }
}
