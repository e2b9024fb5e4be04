package io.microbatch.connect.calibration;

import static io.microbatch.connect.calibration.Samples.KEY;
import static io.microbatch.connect.calibration.Samples.best;
import static io.microbatch.connect.calibration.Samples.file;
import static io.microbatch.connect.calibration.Samples.observation;
import static io.microbatch.connect.calibration.Samples.open;
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
    /** So small that the schema fits and some rows do. */
    private static final StoreLimits SMALL_DISK = new StoreLimits(2_000, 8, 10);

    @TempDir
    Path directory;

    private final List<String> warnings = new ArrayList<>();
    private long nowNanos = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(30);
    private int attempts;
    private StoreLimits limits = StoreLimits.DEFAULT;

    @Test
    void keepsWhatItIsGiven() throws Exception {
        try (CalibrationFile file = openFile()) {
            file.append(observation(L3_LOW, 1));
            file.putBest(best(L3_LOW, 1));
            assertThat(file.status()).isEqualTo(new CalibrationStatus(true, "", 0, 0));
        }
        try (SqliteCalibrationStore store = open(directory)) {
            assertThat(store.recent(L3_LOW, 5)).containsExactly(observation(L3_LOW, 1));
        }
        try (CalibrationFile file = openFile()) {
            assertThat(file.bests()).containsEntry(L3_LOW, best(L3_LOW, 1));
        }
        assertThat(warnings).isEmpty();
    }

    @Test
    void worksFromMemoryWhereThereIsNoDirectory() throws Exception {
        Files.createFile(directory.resolve("occupied"));
        try (CalibrationFile file = openFile(directory.resolve("occupied"))) {
            file.append(observation(L3_LOW, 1));
            file.putBest(best(L3_LOW, 1));
            assertThat(file.bests()).containsEntry(L3_LOW, best(L3_LOW, 1));
            assertThat(file.status().droppedWrites()).isEqualTo(2);
        }
        assertThat(warnings)
                .singleElement()
                .asString()
                .contains(directory.resolve("occupied").toString())
                .contains(CalibrationFault.NOT_WRITABLE.cure())
                .doesNotContain("\n");
    }

    @Test
    void takesTheFileOverWithinSecondsOfAZombiesEnd() throws Exception {
        SqliteCalibrationStore zombie = open(directory);
        zombie.putBest(best(L3_LOW, 1));
        zombie.putBest(best(L5_BALANCED, 1));
        try (CalibrationFile file = openFile()) {
            file.putBest(best(L3_LOW, 2));
            assertThat(file.status().durable()).isFalse();
            zombie.close();
            passSeconds(4);
            file.retryIfDue();
            assertThat(file.status().durable()).as("before the pause is over").isFalse();
            passSeconds(1);
            file.retryIfDue();
            assertThat(file.status()).isEqualTo(new CalibrationStatus(true, "", 1, 0));
            assertThat(file.bests())
                    .as("its own youngest, and the zombie's for the rest")
                    .containsEntry(L3_LOW, best(L3_LOW, 2))
                    .containsEntry(L5_BALANCED, best(L5_BALANCED, 1));
        }
        assertThat(warnings).hasSize(1);
    }

    @Test
    void goesOnWithoutTheDiskOnceItIsFullAndReturnsWhenItIsNot() throws Exception {
        limits = SMALL_DISK;
        int written = 0;
        try (CalibrationFile file = openFile()) {
            while (file.status().durable()) {
                file.append(observation(L3_LOW, written++));
                assertThat(written).as("the small disk is full at last").isLessThan(10_000);
            }
            assertThat(written).isGreaterThan(1);
            assertThat(warnings).singleElement().asString().contains(CalibrationFault.DISK_FULL.cure());

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
            assertThat(file.status().droppedWrites()).isEqualTo(1 + 59 + 5);

            limits = StoreLimits.DEFAULT;
            passSeconds(60);
            file.append(observation(L3_LOW, 3));
            assertThat(file.status().durable()).isTrue();
            assertThat(file.status().droppedWrites()).isEqualTo(65);
        }
        try (SqliteCalibrationStore store = open(directory)) {
            assertThat(store.recent(L3_LOW, 10_000)).hasSize(written);
        }
    }

    @Test
    void saysItAgainAfterItHadWorkedInBetween() {
        FailingStore store = new FailingStore();
        try (CalibrationFile file = new CalibrationFile(() -> store, () -> nowNanos, warnings::add)) {
            for (int round = 0; round < 3; round++) {
                passSeconds(60);
                store.failing = true;
                file.append(observation(L3_LOW, 1));
                passSeconds(60);
                file.append(observation(L3_LOW, 1));
                assertThat(warnings).hasSize(round + 1);
                passSeconds(60);
                store.failing = false;
                file.append(observation(L3_LOW, 1));
            }
            assertThat(file.status().droppedWrites()).isEqualTo(6);
        }
        assertThat(store.closed).isEqualTo(7);
    }

    @Test
    void neverRetriesWhatOnlyARestartCures() {
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
    void survivesErrorsThatNobodyForesaw() {
        CalibrationFile.Opener broken = () -> {
            throw new NoClassDefFoundError("org/sqlite/Anything");
        };
        try (CalibrationFile file = new CalibrationFile(broken, () -> nowNanos, warnings::add)) {
            assertThat(file.status().durable()).isFalse();
            assertThat(file.status().reason()).contains("org/sqlite/Anything");
        }
    }

    @Test
    void countsRowsThatItDidNotBelieve() throws Exception {
        try (CalibrationFile file = openFile()) {
            file.putBest(best(L3_LOW, 1));
        }
        Samples.sql(file(directory), "UPDATE best SET linger_ms = 99");
        try (CalibrationFile file = openFile()) {
            assertThat(file.bests()).isEmpty();
            assertThat(file.status().skippedRows()).isEqualTo(1);
        }
    }

    @Test
    void refusesAnotherThread() {
        try (CalibrationFile file = openFile()) {
            assertThatThrownBy(() -> CompletableFuture.runAsync(() -> file.append(observation(L3_LOW, 1)))
                            .get())
                    .hasCauseInstanceOf(IllegalStateException.class);
        }
    }

    private CalibrationFile openFile() {
        return openFile(directory);
    }

    private CalibrationFile openFile(Path where) {
        return new CalibrationFile(
                () -> {
                    attempts++;
                    return open(where, KEY, limits);
                },
                () -> nowNanos,
                warnings::add);
    }

    private void passSeconds(long seconds) {
        nowNanos += TimeUnit.SECONDS.toNanos(seconds);
    }
}
