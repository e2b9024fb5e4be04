package io.microbatch.connect.calibration;

import io.microbatch.connect.learning.LevelBest;
import io.microbatch.connect.learning.Observation;
import io.microbatch.connect.pressure.BatchSetting;
import io.microbatch.connect.pressure.PressureLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.sqlite.jdbc4.JDBC4Connection;

/** Sample rows, and SQL that reads a file like a person with the sqlite3 tool. */
final class Samples {
    static final CalibrationKey KEY = keyOf(0);
    static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-20T10:00:00Z"), ZoneOffset.UTC);
    static final long NOW_MS = CLOCK.millis();

    private static final long MS = 1_000_000;
    /** A constant of all samples, because the file does not store it. */
    private static final long BUSY_NANOS = 1_234 * MS;

    /** Not stored either. */
    private static final long TRANSACTIONS = 10;

    private Samples() {}

    /** The key of a task of the sample connector. */
    static CalibrationKey keyOf(int task) {
        return new CalibrationKey("orders", task, "exactly-once", "host-a", "synthetic", "1-a");
    }

    /** Creates an observation. Different numbers give different values in several columns. */
    static Observation observation(PressureLevel level, int number) {
        return new Observation(
                NOW_MS + number * 10_000L,
                10_000,
                level,
                new BatchSetting(100 + number, 2_500_000 + number * MS),
                1_000L + number,
                10,
                TRANSACTIONS,
                BUSY_NANOS,
                810.37 * (number + 1),
                3_250_000,
                9_750_000 + number * MS,
                number % 2 == 0,
                number % 3 == 0);
    }

    static LevelBest best(PressureLevel level, int number) {
        return new LevelBest(
                level,
                new BatchSetting(500 + number, 12_500_000),
                1e6 + number,
                0.9e6,
                1_234.5,
                40_250_000,
                17,
                NOW_MS + number,
                2);
    }

    static CalibrationStore open(Path directory) throws CalibrationException {
        return open(directory, KEY, StoreLimits.DEFAULT);
    }

    static CalibrationStore open(Path directory, CalibrationKey key, StoreLimits limits) throws CalibrationException {
        return CalibrationStore.open(directory.toString(), key, limits, CLOCK);
    }

    /** The path of the sample key's file. */
    static Path file(Path directory) {
        return directory.resolve(CalibrationPath.fileName(KEY.connector(), KEY.task()));
    }

    /** The files that were moved aside. */
    static List<Path> movedAside(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().contains(".damaged-"))
                    .filter(file -> CalibrationPath.COMPANIONS.stream().noneMatch(file.toString()::endsWith))
                    .toList();
        }
    }

    /** The sample key's observations at a level, newest first. The file must not be locked. */
    static List<Observation> stored(Path directory, PressureLevel level) throws SQLException {
        return stored(file(directory), KEY, level);
    }

    static List<Observation> stored(Path file, CalibrationKey key, PressureLevel level) throws SQLException {
        List<Observation> observations = new ArrayList<>();
        try (Connection connection = connect(file);
                PreparedStatement select = connection.prepareStatement("""
                        SELECT o.* FROM observation o JOIN calibration_key k ON k.id = o.key_id
                        WHERE level = ? AND delivery_mode = ? AND host = ? AND upstream = ? AND version = ?
                        ORDER BY o.id DESC""")) {
            CalibrationStore.bind(
                    select, level.number(), key.deliveryMode(), key.host(), key.upstream(), key.meaning());
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    observations.add(new Observation(
                            rows.getLong("window_end_epoch_ms"),
                            rows.getLong("window_ms"),
                            level,
                            new BatchSetting(rows.getInt("batch_target_events"), nanos(rows.getDouble("linger_ms"))),
                            rows.getLong("events"),
                            rows.getLong("batches"),
                            TRANSACTIONS,
                            BUSY_NANOS,
                            rows.getDouble("capacity_per_sec"),
                            nanos(rows.getDouble("ack_p50_ms")),
                            nanos(rows.getDouble("ack_p99_ms")),
                            rows.getBoolean("feasible"),
                            rows.getBoolean("explored")));
                }
            }
        }
        return observations;
    }

    private static long nanos(double ms) {
        return Math.round(ms * 1e6);
    }

    static void sql(Path file, String script) throws SQLException {
        try (Connection connection = connect(file);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(script);
        }
    }

    static long number(Path file, String query) throws SQLException {
        try (Connection connection = connect(file);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.getLong(1);
        }
    }

    static Connection connect(Path file) throws SQLException {
        return new JDBC4Connection("jdbc:sqlite:" + file, file.toString(), new Properties());
    }
}
