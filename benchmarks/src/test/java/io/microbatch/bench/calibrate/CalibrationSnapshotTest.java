package io.microbatch.bench.calibrate;

import static io.microbatch.connect.pressure.PressureLevel.L3_LOW;
import static io.microbatch.connect.pressure.PressureLevel.L5_BALANCED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.bench.calibrate.CalibrationSnapshot.StoredWindow;
import io.microbatch.connect.calibration.CalibrationFile;
import io.microbatch.connect.calibration.CalibrationKey;
import io.microbatch.connect.learning.LevelBest;
import io.microbatch.connect.learning.Observation;
import io.microbatch.connect.pressure.BatchSetting;
import io.microbatch.connect.pressure.PressureLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

class CalibrationSnapshotTest {
    private static final CalibrationKey KEY = new CalibrationKey("orders", 0, "exactly-once", "host", "synthetic", "1");
    private static final LevelBest BEST =
            new LevelBest(L3_LOW, new BatchSetting(500, 12_500_000), 1e6, 9e5, 1_234.5, 40_250_000, 17, 99, 2);

    @TempDir
    Path directory;

    @TempDir
    Path scratch;

    @BeforeEach
    void fill() {
        try (CalibrationFile file = open()) {
            file.append(observation(L3_LOW, 1));
            file.append(observation(L3_LOW, 2));
            file.append(observation(L5_BALANCED, 3));
            file.putBest(BEST);
        }
    }

    private CalibrationFile open() {
        CalibrationFile file = CalibrationFile.open(directory.toString(), KEY, Clock.systemUTC(), System::nanoTime);
        assertThat(file.isDurable()).isTrue();
        return file;
    }

    private static Observation observation(PressureLevel level, int events) {
        return new Observation(
                1,
                10_000,
                level,
                new BatchSetting(100, 2_500_000),
                events,
                10,
                10,
                1,
                810.5,
                1,
                9_750_000,
                true,
                false);
    }

    private static StoredWindow stored(int events) {
        return new StoredWindow(2.5, events, 10, 810.5, 9.75, true, false);
    }

    private Path file() {
        return directory.resolve("orders-0.calibration");
    }

    private void sql(String script) throws SQLException {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + file());
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(script);
        }
    }

    @Test
    void showsBestsAndLatestWindowsOfEveryKey() throws IOException {
        assertThat(CalibrationSnapshot.read(file(), scratch, 1)).singleElement().satisfies(snapshot -> {
            assertThat(snapshot.key()).isEqualTo(KEY);
            assertThat(snapshot.bests()).containsOnlyKeys(L3_LOW).containsValue(BEST);
            assertThat(snapshot.recent())
                    .containsOnlyKeys(L3_LOW, L5_BALANCED)
                    .containsEntry(L3_LOW, List.of(stored(2)))
                    .containsEntry(L5_BALANCED, List.of(stored(3)));
            assertThat(snapshot.skippedRows()).isZero();
        });
    }

    @Test
    void readsWhileATaskHoldsTheFileAndLeavesItAlone() throws IOException, InterruptedException {
        try (CalibrationFile running = open()) {
            running.append(observation(L3_LOW, 7));
            assertThat(CalibrationSnapshot.read(copyOfAnotherProcess(), scratch, 1))
                    .singleElement()
                    .satisfies(snapshot -> assertThat(snapshot.recent()).containsEntry(L3_LOW, List.of(stored(7))));
            running.append(observation(L3_LOW, 8));
            assertThat(running.isDurable()).isTrue();
        }
    }

    /** As another process sees it: closing a descriptor of the held file in this process would drop its lock. */
    private Path copyOfAnotherProcess() throws IOException, InterruptedException {
        Path seen = Files.createDirectories(scratch.resolve("seen"));
        int code = new ProcessBuilder("cp", "-a", directory + "/.", seen.toString())
                .inheritIO()
                .start()
                .waitFor();
        assertThat(code).isZero();
        return seen.resolve(file().getFileName());
    }

    @Test
    void countsRowsWithAWrongChecksum() throws Exception {
        sql("UPDATE best SET linger_ms = 99");
        assertThat(CalibrationSnapshot.read(file(), scratch, 1)).singleElement().satisfies(snapshot -> {
            assertThat(snapshot.bests()).isEmpty();
            assertThat(snapshot.skippedRows()).isEqualTo(1);
        });
    }

    @Test
    void refusesAnyOtherFile() throws Exception {
        Path garbage = Files.writeString(directory.resolve("garbage"), "no database at all, whatever its name says");
        assertThatThrownBy(() -> CalibrationSnapshot.read(garbage, scratch, 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(garbage.toString());
        Path link = Files.createSymbolicLink(directory.resolve("link"), file());
        assertThatThrownBy(() -> CalibrationSnapshot.read(link, scratch, 1)).hasMessageContaining("no link");
        assertThatThrownBy(() -> CalibrationSnapshot.read(directory.resolve("missing"), scratch, 1))
                .hasMessageContaining("is not a calibration file");
        sql("PRAGMA user_version = 3");
        assertThatThrownBy(() -> CalibrationSnapshot.read(file(), scratch, 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("user_version is 3");
    }
}
