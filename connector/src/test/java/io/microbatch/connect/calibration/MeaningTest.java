package io.microbatch.connect.calibration;

import static io.microbatch.connect.calibration.Samples.connect;
import static io.microbatch.connect.calibration.Samples.movedAside;
import static io.microbatch.connect.calibration.Samples.open;
import static io.microbatch.connect.pressure.PressureLevel.L3_LOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.microbatch.connect.learning.LevelBest;
import io.microbatch.connect.pressure.BatchSetting;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calibration of an earlier version is used if it means the same, and is not used otherwise. */
class MeaningTest {

    /** What the script of {@link #writtenByAnEarlierVersion} holds. */
    private static final LevelBest LEARNED = new LevelBest(
            L3_LOW, new BatchSetting(500, 12_500_000), 1e6, 9e5, 1_234.5, 40_250_000, 17, 1763632800000L, 2);

    @TempDir
    Path directory;

    @Test
    void keepsWhatAnEarlierVersionWithTheSameMeaningLearned() throws Exception {
        writtenByAnEarlierVersion();
        try (CalibrationStore store = open(directory, key(Meaning.current()), StoreLimits.DEFAULT)) {
            assertThat(store.bests()).containsOnly(entry(L3_LOW, LEARNED));
        }
        assertThat(movedAside(directory)).isEmpty();
    }

    @Test
    void learnsAnewUnderAnotherMeaningAndKeepsTheValuesForARollback() throws Exception {
        writtenByAnEarlierVersion();
        try (CalibrationStore store = open(directory, key(Meaning.of(2, "any levels")), StoreLimits.DEFAULT)) {
            assertThat(store.bests()).isEmpty();
        }
        try (CalibrationStore store = open(directory, key(Meaning.current()), StoreLimits.DEFAULT)) {
            assertThat(store.bests()).containsKey(L3_LOW);
        }
    }

    @Test
    void changesWithTheRevisionAndWithTheLevels() {
        assertThat(Meaning.of(1, "1 from 0 within 5"))
                .isEqualTo(Meaning.of(1, "1 from 0 within 5"))
                .isNotEqualTo(Meaning.of(2, "1 from 0 within 5"))
                .isNotEqualTo(Meaning.of(1, "1 from 0 within 6"));
    }

    private static CalibrationKey key(String meaning) {
        return new CalibrationKey("orders", 0, "exactly-once within 30 to 75 ms", "host-a", "synthetic", meaning);
    }

    private void writtenByAnEarlierVersion() throws IOException, SQLException {
        try (InputStream script = MeaningTest.class.getResourceAsStream("/calibration/first-meaning.sql");
                Connection connection = connect(directory.resolve(CalibrationPath.fileName("orders", 0)));
                Statement statement = connection.createStatement()) {
            int ignored = statement.executeUpdate(new String(script.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
