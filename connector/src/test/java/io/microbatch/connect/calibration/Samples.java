package io.microbatch.connect.calibration;

import io.microbatch.connect.pressure.PressureLevel;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Properties;
import org.sqlite.jdbc4.JDBC4Connection;

/** What the tests of this package have in common. */
final class Samples {
    static final CalibrationKey KEY = new CalibrationKey("orders", 0, "exactly-once", "host-a", "synthetic", "1.0.0");
    static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-20T10:00:00Z"), ZoneOffset.UTC);
    static final long NOW_MS = CLOCK.millis();

    private Samples() {}

    /** Observations with different numbers are different in several columns. */
    static Observation observation(PressureLevel level, int number) {
        return new Observation(
                NOW_MS + number * 10_000L,
                10_000,
                level,
                100 + number,
                2.5 + number,
                1_000L + number,
                20,
                10,
                1234.5 + number,
                810.37 * (number + 1),
                3.25,
                9.75 + number,
                number % 2 == 0,
                number % 3 == 0);
    }

    static LevelBest best(PressureLevel level, int number) {
        return new LevelBest(level, 500 + number, 12.5, 1e6 + number, 0.9e6, 1_234.5, 40.25, 17, NOW_MS + number, 2);
    }

    static SqliteCalibrationStore open(Path directory) throws CalibrationException {
        return open(directory, KEY, StoreLimits.DEFAULT);
    }

    static SqliteCalibrationStore open(Path directory, CalibrationKey key, StoreLimits limits)
            throws CalibrationException {
        return SqliteCalibrationStore.open(directory.toString(), key, limits, CLOCK);
    }

    /** Where the sample key's file is. */
    static Path file(Path directory) {
        return directory.resolve(CalibrationPath.fileName(KEY.connector(), KEY.task()));
    }

    /** Runs SQL on a database as a person with the sqlite3 tool would. */
    static void sql(Path file, String script) throws SQLException {
        try (Connection connection = connect(file);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(script);
        }
    }

    static Connection connect(Path file) throws SQLException {
        return new JDBC4Connection("jdbc:sqlite:" + file, file.toString(), new Properties());
    }
}
