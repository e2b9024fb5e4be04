package io.microbatch.connect.calibration;

import static io.microbatch.connect.calibration.Samples.best;
import static io.microbatch.connect.calibration.Samples.connect;
import static io.microbatch.connect.calibration.Samples.file;
import static io.microbatch.connect.calibration.Samples.observation;
import static io.microbatch.connect.calibration.Samples.open;
import static io.microbatch.connect.calibration.Samples.sql;
import static io.microbatch.connect.pressure.PressureLevel.L3_LOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchemaMigrationsTest {
    @TempDir
    Path directory;

    @Test
    void bringsAFileOfTheFirstSchemaToTheLatest() throws Exception {
        sql(file(directory), resource("/db/calibration/written-by-V1.sql"));
        try (SqliteCalibrationStore store = open(directory)) {
            assertThat(store.movedAside()).isEmpty();
            assertThat(store.recent(L3_LOW, 10)).containsExactly(observation(L3_LOW, 1));
            store.putBest(best(L3_LOW, 1));
            assertThat(store.bests()).containsEntry(L3_LOW, best(L3_LOW, 1));
        }
        try (Connection connection = connect(file(directory))) {
            assertThat(SchemaMigrations.number(connection, "PRAGMA user_version"))
                    .isEqualTo(SchemaMigrations.LATEST);
        }
    }

    @Test
    void knowsEveryScriptThatTheJarHolds() {
        String next = "/db/calibration/V" + (SchemaMigrations.LATEST + 1) + ".sql";
        assertThat(getClass().getResource(next)).as("LATEST was not raised").isNull();
        assertThat(SchemaMigrations.bundled()).isNotNull();
    }

    @Test
    void refusesANewerSchemaAndLeavesItAlone() throws Exception {
        open(directory).close();
        sql(file(directory), "PRAGMA user_version = " + (SchemaMigrations.LATEST + 1));
        byte[] before = Files.readAllBytes(file(directory));
        assertFault(CalibrationFault.NEWER_SCHEMA);
        assertThat(file(directory)).hasBinaryContent(before);
    }

    @Test
    void refusesADatabaseOfAnotherApplicationAndLeavesItAlone() throws Exception {
        sql(file(directory), "CREATE TABLE accounts (id INTEGER); PRAGMA user_version = 1");
        byte[] before = Files.readAllBytes(file(directory));
        assertFault(CalibrationFault.FOREIGN_FILE);
        assertThat(file(directory)).hasBinaryContent(before);
        sql(file(directory), "PRAGMA application_id = 252006674");
        assertFault(CalibrationFault.FOREIGN_FILE);
    }

    @Test
    void replacesAFileWhoseSchemaIsNotWhatItsNumberSays() throws Exception {
        open(directory).close();
        sql(file(directory), "ALTER TABLE observation DROP COLUMN explored");
        try (SqliteCalibrationStore store = open(directory)) {
            assertThat(store.movedAside()).isPresent();
            store.append(observation(L3_LOW, 1));
        }
    }

    @Test
    void leavesTheFileAsTheLastCompleteScriptLeftIt() throws Exception {
        String first = "CREATE TABLE a (t TEXT); INSERT INTO a VALUES ('a;b')";
        String broken = "CREATE TABLE b (t TEXT); INSERT INTO a VALUES ('c'); INSERT INTO nowhere VALUES (1)";
        try (Connection connection = connect(directory.resolve("some.db"))) {
            assertThatThrownBy(() -> new SchemaMigrations(List.of(first, broken)).migrate(connection))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("nowhere");
            assertThat(SchemaMigrations.number(connection, "PRAGMA user_version"))
                    .isEqualTo(1);
            assertThat(SchemaMigrations.number(connection, "SELECT count(*) FROM a WHERE t = 'a;b'"))
                    .isEqualTo(1);
            assertThat(SchemaMigrations.number(connection, "SELECT count(*) FROM a"))
                    .isEqualTo(1);
            assertThat(SchemaMigrations.number(connection, "SELECT count(*) FROM sqlite_schema"))
                    .isEqualTo(1);

            new SchemaMigrations(List.of(first, "CREATE TABLE b (t TEXT)")).migrate(connection);
            assertThat(SchemaMigrations.number(connection, "PRAGMA user_version"))
                    .isEqualTo(2);
        }
    }

    private void assertFault(CalibrationFault fault) {
        assertThatThrownBy(() -> open(directory))
                .isInstanceOfSatisfying(
                        CalibrationException.class, e -> assertThat(e.fault()).isEqualTo(fault))
                .hasMessageContaining(file(directory).toString());
    }

    private static String resource(String name) throws IOException {
        try (InputStream script = SchemaMigrationsTest.class.getResourceAsStream(name)) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
