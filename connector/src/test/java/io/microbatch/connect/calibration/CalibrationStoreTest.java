package io.microbatch.connect.calibration;

import static io.microbatch.connect.calibration.Samples.KEY;
import static io.microbatch.connect.calibration.Samples.best;
import static io.microbatch.connect.calibration.Samples.connect;
import static io.microbatch.connect.calibration.Samples.file;
import static io.microbatch.connect.calibration.Samples.movedAside;
import static io.microbatch.connect.calibration.Samples.number;
import static io.microbatch.connect.calibration.Samples.observation;
import static io.microbatch.connect.calibration.Samples.open;
import static io.microbatch.connect.calibration.Samples.sql;
import static io.microbatch.connect.calibration.Samples.stored;
import static io.microbatch.connect.pressure.PressureLevel.L3_LOW;
import static io.microbatch.connect.pressure.PressureLevel.L5_BALANCED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.microbatch.connect.learning.LevelBest;
import io.microbatch.connect.pressure.BatchSetting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CalibrationStoreTest {
    @TempDir
    Path directory;

    @Test
    void readsTheRowsOfAnEarlierProcess() throws Exception {
        try (CalibrationStore store = open(directory)) {
            for (int i = 0; i < 5; i++) {
                store.append(observation(L3_LOW, i));
            }
            store.append(observation(L5_BALANCED, 9));
            store.putBest(best(L3_LOW, 1));
            store.putBest(best(L5_BALANCED, 2));
            store.putBest(best(L3_LOW, 3));
        }
        try (CalibrationStore store = open(directory)) {
            assertThat(movedAside(directory)).isEmpty();
            assertThat(store.bests())
                    .containsOnlyKeys(L3_LOW, L5_BALANCED)
                    .containsEntry(L3_LOW, best(L3_LOW, 3))
                    .containsEntry(L5_BALANCED, best(L5_BALANCED, 2));
        }
        assertThat(stored(directory, L3_LOW))
                .hasSize(5)
                .startsWith(observation(L3_LOW, 4), observation(L3_LOW, 3), observation(L3_LOW, 2));
        assertThat(stored(directory, L5_BALANCED)).containsExactly(observation(L5_BALANCED, 9));
    }

    @Test
    void readsNegativeZeroBack() throws Exception {
        LevelBest zero = new LevelBest(L3_LOW, new BatchSetting(1, 0), -0.0, -0.0, -0.0, 0, 0, 1, 0);
        try (CalibrationStore store = open(directory)) {
            store.putBest(zero);
            assertThat(store.bests()).containsOnlyKeys(L3_LOW);
        }
    }

    @Test
    void keepsOnlyTheLatestOfEachLevel() throws Exception {
        try (CalibrationStore store = open(directory, KEY, new StoreLimits(4, 8, 1000))) {
            store.append(observation(L5_BALANCED, 0));
            for (int i = 0; i < 10; i++) {
                store.append(observation(L3_LOW, i));
            }
        }
        assertThat(stored(directory, L3_LOW))
                .containsExactly(
                        observation(L3_LOW, 9), observation(L3_LOW, 8), observation(L3_LOW, 7), observation(L3_LOW, 6));
        assertThat(stored(directory, L5_BALANCED)).hasSize(1);
    }

    @Test
    void separatesKeys() throws Exception {
        for (CalibrationKey key : differentKeys().toList()) {
            try (CalibrationStore store = openNamed(key)) {
                assertThat(store.bests()).as("%s", key).isEmpty();
                store.append(observation(L3_LOW, key.hashCode() & 0xff));
                store.putBest(best(L3_LOW, key.hashCode() & 0xff));
            }
        }
        for (CalibrationKey key : differentKeys().toList()) {
            try (CalibrationStore store = openNamed(key)) {
                assertThat(store.bests()).containsEntry(L3_LOW, best(L3_LOW, key.hashCode() & 0xff));
            }
            Path file = directory.resolve(CalibrationPath.fileName(key.connector(), key.task()));
            assertThat(stored(file, key, L3_LOW)).containsExactly(observation(L3_LOW, key.hashCode() & 0xff));
        }
    }

    @Test
    void deletesTheKeysThatWereOpenedLongestAgo() throws Exception {
        StoreLimits twoKeys = new StoreLimits(10, 2, 1000);
        for (String meaning : List.of("1", "2", "3")) {
            try (CalibrationStore store = open(directory, meaning(meaning), twoKeys)) {
                store.append(observation(L3_LOW, 1));
            }
        }
        assertThat(number(file(directory), "SELECT count(*) FROM observation"))
                .as("rows of the remaining keys")
                .isEqualTo(2);
        assertThat(stored(file(directory), meaning("2"), L3_LOW)).hasSize(1);
        assertThat(stored(file(directory), meaning("1"), L3_LOW)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "linger_ms = -1.0",
                "linger_ms = 9e999",
                "batch_target_events = 0",
                "batch_target_events = 9223372036854775807",
                "updated_epoch_ms = -5",
                "score_per_sec = -0.5",
                "ack_p99_ms = 1e9",
                "observations = -1",
                "level = 0",
                "level = 11"
            })
    void skipsRowsOutOfRangeEvenIfTheirChecksumIsRight(String edit) throws Exception {
        writeTwo();
        sql(file(directory), "UPDATE best SET " + edit + " WHERE level = 3");
        signAll();
        assertOnlyTheFirstIsSkipped();
    }

    @Test
    void usesAnEditedRowInRangeIfItsChecksumIsRight() throws Exception {
        writeTwo();
        sql(file(directory), "UPDATE best SET linger_ms = 7.0 WHERE level = 3");
        signAll();
        try (CalibrationStore store = open(directory)) {
            assertThat(store.bests().get(L3_LOW).setting()).isEqualTo(new BatchSetting(501, 7_000_000));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"linger_ms = 7.0", "observations = 5", "regressions = 9", "level = 4", "crc = 0"})
    void skipsRowsThatWereChangedWithoutTheirChecksum(String edit) throws Exception {
        writeTwo();
        sql(file(directory), "UPDATE best SET " + edit + " WHERE level = 3");
        assertOnlyTheFirstIsSkipped();
    }

    @Test
    void givesAccessToTheOwnerOnly() throws Exception {
        Path inner = directory.resolve("made/by/us");
        try (CalibrationStore store = open(inner)) {
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
    void keepsTheIndexOfTheLogOnTheHeap() throws Exception {
        try (CalibrationStore store = open(directory)) {
            store.append(observation(L3_LOW, 1));
            assertThat(Path.of(file(directory) + "-wal")).exists();
            assertThat(Path.of(file(directory) + "-shm")).doesNotExist();
        }
        assertThat(Path.of(file(directory) + "-wal")).doesNotExist();
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private void writeTwo() throws CalibrationException {
        try (CalibrationStore store = open(directory)) {
            store.putBest(best(L3_LOW, 1));
            store.putBest(best(L5_BALANCED, 1));
        }
    }

    /** Writes the checksum of each row's values, so that only the range check can reject it. */
    private void signAll() throws SQLException {
        String columns = "level, batch_target_events, linger_ms, score_per_sec, expected_throughput_per_sec,"
                + " arrivals_per_sec, ack_p99_ms, observations, updated_epoch_ms, regressions";
        List<String> updates = new ArrayList<>();
        try (Connection connection = connect(file(directory));
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT " + columns + " FROM best")) {
            while (rows.next()) {
                Object[] values = new Object[10];
                for (int i = 0; i < values.length; i++) {
                    boolean whole = "INTEGER".equals(rows.getMetaData().getColumnTypeName(i + 1));
                    values[i] = whole ? (Object) rows.getLong(i + 1) : (Object) rows.getDouble(i + 1);
                }
                updates.add("UPDATE best SET crc = " + BestTable.checksum(KEY, values) + " WHERE level = " + values[0]);
            }
        }
        for (String update : updates) {
            sql(file(directory), update);
        }
    }

    private void assertOnlyTheFirstIsSkipped() throws CalibrationException {
        try (CalibrationStore store = open(directory)) {
            assertThat(store.bests()).containsOnly(entry(L5_BALANCED, best(L5_BALANCED, 1)));
        }
    }

    private CalibrationStore openNamed(CalibrationKey key) throws CalibrationException {
        return open(directory, key, StoreLimits.DEFAULT);
    }

    private static CalibrationKey meaning(String meaning) {
        return new CalibrationKey(KEY.connector(), 0, KEY.deliveryMode(), KEY.host(), KEY.upstream(), meaning);
    }

    private static Stream<CalibrationKey> differentKeys() {
        return Stream.of(
                KEY,
                new CalibrationKey("Orders", 0, "exactly-once", "host-a", "synthetic", "1-a"),
                new CalibrationKey("orders", 1, "exactly-once", "host-a", "synthetic", "1-a"),
                new CalibrationKey("orders", 0, "at-least-once", "host-a", "synthetic", "1-a"),
                new CalibrationKey("orders", 0, "exactly-once", "host-b", "synthetic", "1-a"),
                new CalibrationKey("orders", 0, "exactly-once", "host-a", "outbox", "1-a"),
                new CalibrationKey("orders", 0, "exactly-once", "host-a", "synthetic", "2-a"));
    }
}
