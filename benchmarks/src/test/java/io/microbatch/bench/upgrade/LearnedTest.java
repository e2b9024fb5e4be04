package io.microbatch.bench.upgrade;

import static io.microbatch.connect.pressure.PressureLevel.L3_LOW;
import static io.microbatch.connect.pressure.PressureLevel.L4_MODERATE;
import static org.assertj.core.api.Assertions.assertThat;

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
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

class LearnedTest {

    @TempDir
    Path directory;

    @TempDir
    Path scratch;

    private CalibrationFile open(String meaning, long nowEpochMs) {
        CalibrationKey key = new CalibrationKey("orders", 0, "exactly-once", "host", "synthetic", meaning);
        Clock clock = Clock.fixed(Instant.ofEpochMilli(nowEpochMs), ZoneOffset.UTC);
        CalibrationFile file = CalibrationFile.open(directory.toString(), key, clock, System::nanoTime);
        assertThat(file.isDurable()).isTrue();
        return file;
    }

    private static Observation window(PressureLevel level, long endEpochMs, boolean trial) {
        return new Observation(
                endEpochMs,
                2_000,
                level,
                new BatchSetting(100, 2_500_000),
                300,
                10,
                10,
                1,
                810.5,
                1,
                9_750_000,
                true,
                trial);
    }

    private static LevelBest best(PressureLevel level, long windows) {
        return new LevelBest(level, new BatchSetting(500, 12_500_000), 1e6, 9e5, 1_234.5, 40_250_000, windows, 99, 0);
    }

    @Test
    void readsTheKeyThatWasOpenedLast() {
        try (CalibrationFile file = open("1", 100)) {
            file.putBest(best(L3_LOW, 17));
        }
        try (CalibrationFile file = open("2", 200)) {
            file.append(window(L4_MODERATE, 900, false));
            file.append(window(L4_MODERATE, 1_000, false));
            file.append(window(L4_MODERATE, 1_100, true));
            file.putBest(best(L4_MODERATE, 2));
        }
        Map<String, Learned> tasks = Learned.read(directory, scratch, 1_000);
        Learned expected = new Learned(
                CalibrationFile.SCHEMA_VERSION,
                "exactly-once, host, synthetic, 2",
                1_100,
                Map.of(L4_MODERATE.number(), 2L),
                Map.of(L4_MODERATE.number(), 1L));
        assertThat(tasks).containsExactly(Map.entry("orders-0", expected));
        assertThat(expected.isUsedSince(1_100)).isTrue();
        assertThat(expected.isUsedSince(1_101)).isFalse();
        assertThat(expected.hasLearned(2)).isTrue();
        assertThat(expected.hasLearned(3)).isFalse();
        assertThat(expected.earlierLevels()).isEqualTo(1);
    }

    @Test
    void readsAFileOfAnOlderSchema() throws SQLException {
        try (CalibrationFile file = open("1", 100)) {
            file.putBest(best(L3_LOW, 17));
        }
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + directory.resolve("orders-0.calibration"));
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("PRAGMA user_version = 3");
        }
        assertThat(Learned.read(directory, scratch, 0).get("orders-0").schema()).isEqualTo(3);
    }

    @Test
    void leavesOutWhatIsNoFileOfATask() throws IOException {
        Path empty = Files.createFile(directory.resolve("orders-1.calibration"));
        Path garbage = Files.writeString(directory.resolve("orders-2.calibration"), "no database".repeat(500));
        Path lock = Files.createFile(directory.resolve("orders-3.calibration.lock"));
        assertThat(empty).exists();
        assertThat(garbage).exists();
        assertThat(lock).exists();
        assertThat(Learned.read(directory, scratch, 0)).isEmpty();
        assertThat(Learned.read(directory.resolve("missing"), scratch, 0)).isEmpty();
    }
}
