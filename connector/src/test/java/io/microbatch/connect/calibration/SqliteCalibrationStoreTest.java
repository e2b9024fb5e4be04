package io.microbatch.connect.calibration;

import static io.microbatch.connect.calibration.Samples.KEY;
import static io.microbatch.connect.calibration.Samples.best;
import static io.microbatch.connect.calibration.Samples.connect;
import static io.microbatch.connect.calibration.Samples.file;
import static io.microbatch.connect.calibration.Samples.observation;
import static io.microbatch.connect.calibration.Samples.open;
import static io.microbatch.connect.calibration.Samples.sql;
import static io.microbatch.connect.pressure.PressureLevel.L3_LOW;
import static io.microbatch.connect.pressure.PressureLevel.L5_BALANCED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqliteCalibrationStoreTest {
    @TempDir
    Path directory;

    @Test
    void returnsWhatAnEarlierProcessWroteNewestFirst() throws Exception {
        try (SqliteCalibrationStore store = open(directory)) {
            for (int i = 0; i < 5; i++) {
                store.append(observation(L3_LOW, i));
            }
            store.append(observation(L5_BALANCED, 9));
            store.putBest(best(L3_LOW, 1));
            store.putBest(best(L5_BALANCED, 2));
            store.putBest(best(L3_LOW, 3));
        }
        try (SqliteCalibrationStore store = open(directory)) {
            assertThat(store.movedAside()).isEmpty();
            assertThat(store.recent(L3_LOW, 3))
                    .containsExactly(observation(L3_LOW, 4), observation(L3_LOW, 3), observation(L3_LOW, 2));
            assertThat(store.recent(L5_BALANCED, 3)).containsExactly(observation(L5_BALANCED, 9));
            assertThat(store.bests())
                    .containsOnlyKeys(L3_LOW, L5_BALANCED)
                    .containsEntry(L3_LOW, best(L3_LOW, 3))
                    .containsEntry(L5_BALANCED, best(L5_BALANCED, 2));
            assertThat(store.skippedRows()).isZero();
        }
    }

    @Test
    void keepsNegativeZeroReadable() throws Exception {
        Observation zero = new Observation(1, 1, L3_LOW, 1, -0.0, 0, 0, 0, -0.0, -0.0, -0.0, -0.0, true, true);
        try (SqliteCalibrationStore store = open(directory)) {
            store.append(zero);
            assertThat(store.recent(L3_LOW, 1)).hasSize(1);
        }
    }

    @Test
    void keepsOnlyTheLatestOfEachLevel() throws Exception {
        try (SqliteCalibrationStore store = open(directory, KEY, new StoreLimits(4, 8, 1000))) {
            store.append(observation(L5_BALANCED, 0));
            for (int i = 0; i < 10; i++) {
                store.append(observation(L3_LOW, i));
            }
            assertThat(store.recent(L3_LOW, 100))
                    .containsExactly(
                            observation(L3_LOW, 9),
                            observation(L3_LOW, 8),
                            observation(L3_LOW, 7),
                            observation(L3_LOW, 6));
            assertThat(store.recent(L5_BALANCED, 100)).hasSize(1);
        }
    }

    @Test
    void keepsKeysApart() throws Exception {
        for (CalibrationKey key : differentKeys().toList()) {
            try (SqliteCalibrationStore store = openNamed(key)) {
                assertThat(store.recent(L3_LOW, 10)).as("%s", key).isEmpty();
                assertThat(store.bests()).as("%s", key).isEmpty();
                store.append(observation(L3_LOW, key.hashCode() & 0xff));
                store.putBest(best(L3_LOW, key.hashCode() & 0xff));
            }
        }
        for (CalibrationKey key : differentKeys().toList()) {
            try (SqliteCalibrationStore store = openNamed(key)) {
                assertThat(store.recent(L3_LOW, 10)).containsExactly(observation(L3_LOW, key.hashCode() & 0xff));
                assertThat(store.bests()).containsEntry(L3_LOW, best(L3_LOW, key.hashCode() & 0xff));
            }
        }
    }

    @Test
    void forgetsTheKeysThatWereOpenedLongestAgo() throws Exception {
        StoreLimits twoKeys = new StoreLimits(10, 2, 1000);
        for (String version : List.of("1", "2", "3")) {
            try (SqliteCalibrationStore store = open(directory, version(version), twoKeys)) {
                store.append(observation(L3_LOW, 1));
            }
        }
        try (Connection connection = connect(file(directory))) {
            assertThat(SchemaMigrations.number(connection, "SELECT count(*) FROM observation"))
                    .as("rows of the keys that are left")
                    .isEqualTo(2);
        }
        try (SqliteCalibrationStore store = open(directory, version("2"), twoKeys)) {
            assertThat(store.recent(L3_LOW, 10)).hasSize(1);
        }
        try (SqliteCalibrationStore store = open(directory, version("1"), twoKeys)) {
            assertThat(store.recent(L3_LOW, 10)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "linger_ms = -1.0",
                "linger_ms = 9e999",
                "batch_target_events = 0",
                "batch_target_events = 9223372036854775807",
                "window_end_epoch_ms = -5",
                "capacity_per_sec = -0.5",
                "ack_p50_ms = 1e7",
                "events = -1"
            })
    void skipsRowsOutOfRangeHoweverWellTheyAreSigned(String edit) throws Exception {
        writeThree();
        sql(file(directory), "UPDATE observation SET " + edit + " WHERE id = 2");
        signTheSecond();
        assertOnlyTheSecondIsSkipped();
    }

    @Test
    void believesAnEditInRangeThatIsSigned() throws Exception {
        writeThree();
        sql(file(directory), "UPDATE observation SET linger_ms = 7.0 WHERE id = 2");
        signTheSecond();
        try (SqliteCalibrationStore store = open(directory)) {
            assertThat(store.recent(L3_LOW, 10))
                    .extracting(Observation::lingerMs)
                    .containsExactly(5.5, 7.0, 3.5);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"linger_ms = 7.0", "events = 5", "feasible = 1 - feasible", "explored = 9", "crc = 0"})
    void skipsRowsThatWereChangedWithoutASignature(String edit) throws Exception {
        writeThree();
        sql(file(directory), "UPDATE observation SET " + edit + " WHERE id = 2");
        assertOnlyTheSecondIsSkipped();
    }

    @ParameterizedTest
    @ValueSource(strings = {"level = 0", "level = 11", "score_per_sec = 9e999", "batch_target_events = 1e10"})
    void skipsABestOutOfRange(String edit) throws Exception {
        try (SqliteCalibrationStore store = open(directory)) {
            store.putBest(best(L3_LOW, 1));
            store.putBest(best(L5_BALANCED, 1));
        }
        sql(file(directory), "UPDATE best SET " + edit + " WHERE level = 3");
        try (SqliteCalibrationStore store = open(directory)) {
            assertThat(store.bests()).containsOnlyKeys(L5_BALANCED);
            assertThat(store.skippedRows()).isEqualTo(1);
        }
    }

    @Test
    void refusesAnotherThread() throws Exception {
        try (SqliteCalibrationStore store = open(directory)) {
            assertThatThrownBy(() -> CompletableFuture.runAsync(store::close).get())
                    .hasCauseInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() ->
                            CompletableFuture.supplyAsync(store::skippedRows).get())
                    .hasCauseInstanceOf(IllegalStateException.class);
            store.append(observation(L3_LOW, 1));
        }
    }

    @Test
    void letsNobodyElseIn() throws Exception {
        Path inner = directory.resolve("made/by/us");
        try (SqliteCalibrationStore store = open(inner)) {
            store.append(observation(L3_LOW, 1));
            assertThat(permissions(inner)).isEqualTo("rwx------");
            assertThat(permissions(inner.getParent())).isEqualTo("rwx------");
            try (Stream<Path> files = Files.list(inner)) {
                assertThat(files.toList())
                        .hasSizeGreaterThanOrEqualTo(3)
                        .allSatisfy(file -> assertThat(permissions(file)).isEqualTo("rw-------"));
            }
        }
    }

    @Test
    void keepsItsIndexOfTheLogOnTheHeap() throws Exception {
        try (SqliteCalibrationStore store = open(directory)) {
            store.append(observation(L3_LOW, 1));
            assertThat(Path.of(file(directory) + "-wal")).exists();
            assertThat(Path.of(file(directory) + "-shm")).doesNotExist();
        }
        assertThat(Path.of(file(directory) + "-wal")).doesNotExist();
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private void writeThree() throws CalibrationException {
        try (SqliteCalibrationStore store = open(directory)) {
            for (int i = 1; i <= 3; i++) {
                store.append(observation(L3_LOW, i));
            }
        }
    }

    /** Gives the second row the checksum that belongs to its values, so that the range check must hold on its own. */
    private void signTheSecond() throws SQLException {
        String columns =
                "level, window_end_epoch_ms, window_ms, batch_target_events, linger_ms, events, polls, batches,"
                        + " busy_ms, capacity_per_sec, ack_p50_ms, ack_p99_ms, feasible, explored";
        Object[] values = new Object[14];
        try (Connection connection = connect(file(directory));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT " + columns + " FROM observation WHERE id = 2")) {
            for (int i = 0; i < values.length; i++) {
                boolean whole = "INTEGER".equals(row.getMetaData().getColumnTypeName(i + 1));
                values[i] = whole ? (Object) row.getLong(i + 1) : (Object) row.getDouble(i + 1);
            }
        }
        sql(
                file(directory),
                "UPDATE observation SET crc = " + RowChecksum.of("observation", KEY, values) + " WHERE id = 2");
    }

    private void assertOnlyTheSecondIsSkipped() throws CalibrationException {
        try (SqliteCalibrationStore store = open(directory)) {
            assertThat(store.recent(L3_LOW, 10)).containsExactly(observation(L3_LOW, 3), observation(L3_LOW, 1));
            assertThat(store.skippedRows()).isEqualTo(1);
        }
    }

    private SqliteCalibrationStore openNamed(CalibrationKey key) throws CalibrationException {
        return open(directory, key, StoreLimits.DEFAULT);
    }

    private static CalibrationKey version(String version) {
        return new CalibrationKey(KEY.connector(), 0, KEY.deliveryMode(), KEY.host(), KEY.upstream(), version);
    }

    private static Stream<CalibrationKey> differentKeys() {
        return Stream.of(
                KEY,
                new CalibrationKey("Orders", 0, "exactly-once", "host-a", "synthetic", "1.0.0"),
                new CalibrationKey("orders", 1, "exactly-once", "host-a", "synthetic", "1.0.0"),
                new CalibrationKey("orders", 0, "at-least-once", "host-a", "synthetic", "1.0.0"),
                new CalibrationKey("orders", 0, "exactly-once", "host-b", "synthetic", "1.0.0"),
                new CalibrationKey("orders", 0, "exactly-once", "host-a", "outbox", "1.0.0"),
                new CalibrationKey("orders", 0, "exactly-once", "host-a", "synthetic", "1.0.1"));
    }
}
