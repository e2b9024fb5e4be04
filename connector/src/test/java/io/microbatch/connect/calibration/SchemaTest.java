package io.microbatch.connect.calibration;

import static io.microbatch.connect.calibration.Samples.KEY;
import static io.microbatch.connect.calibration.Samples.file;
import static io.microbatch.connect.calibration.Samples.movedAside;
import static io.microbatch.connect.calibration.Samples.number;
import static io.microbatch.connect.calibration.Samples.observation;
import static io.microbatch.connect.calibration.Samples.open;
import static io.microbatch.connect.calibration.Samples.sql;
import static io.microbatch.connect.calibration.Samples.stored;
import static io.microbatch.connect.pressure.PressureLevel.L3_LOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1, 3, 5})
    void movesAFileOfAnotherSchemaVersionAsideUnchanged(int version) throws Exception {
        open(directory).close();
        sql(file(directory), "PRAGMA user_version = " + version);
        byte[] before = Files.readAllBytes(file(directory));
        try (CalibrationStore store = open(directory)) {
            assertThat(movedAside(directory))
                    .singleElement()
                    .satisfies(aside -> assertThat(aside).hasBinaryContent(before));
            store.append(observation(L3_LOW, 1));
        }
        assertThat(stored(directory, L3_LOW)).containsExactly(observation(L3_LOW, 1));
        assertThat(number(file(directory), "PRAGMA user_version")).isEqualTo(CalibrationFile.SCHEMA_VERSION);
    }

    @Test
    void refusesADatabaseOfAnotherApplicationAndKeepsItUnchanged() throws Exception {
        sql(file(directory), "CREATE TABLE accounts (id INTEGER); PRAGMA user_version = 1");
        byte[] before = Files.readAllBytes(file(directory));
        assertForeign();
        assertThat(file(directory)).hasBinaryContent(before);
        sql(file(directory), "PRAGMA application_id = 252006674");
        assertForeign();
    }

    private void assertForeign() {
        assertThatThrownBy(() -> open(directory))
                .isInstanceOfSatisfying(
                        CalibrationException.class, e -> assertThat(e.fault()).isEqualTo(CalibrationFault.FOREIGN_FILE))
                .hasMessageContaining(file(directory).toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ALTER TABLE observation DROP COLUMN explored", "ALTER TABLE best RENAME COLUMN crc TO checksum"
            })
    void replacesAFileWhoseTablesDifferFromTheSchema(String change) throws Exception {
        open(directory).close();
        sql(file(directory), change);
        try (CalibrationStore store = open(directory)) {
            assertThat(movedAside(directory)).hasSize(1);
            store.append(observation(L3_LOW, 1));
        }
    }

    /** It would run with the connector's statements, without a limit of time or memory. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TRIGGER t AFTER INSERT ON calibration_key BEGIN SELECT length(hex(zeroblob(1000))); END",
                "CREATE TRIGGER t AFTER INSERT ON observation BEGIN DELETE FROM observation; END",
                "CREATE VIEW v AS SELECT * FROM best",
                "CREATE INDEX i ON best (upper(linger_ms))",
                "CREATE TABLE more (id INTEGER)",
                "PRAGMA page_size = 8192; VACUUM; CREATE TABLE more (id INTEGER)"
            })
    void replacesAFileWithMoreThanItsSchema(String addition) throws Exception {
        open(directory).close();
        sql(file(directory), addition);
        try (CalibrationStore store = open(directory)) {
            assertThat(movedAside(directory)).hasSize(1);
            store.append(observation(L3_LOW, 1));
        }
        assertThat(stored(directory, L3_LOW)).containsExactly(observation(L3_LOW, 1));
    }

    /** A check of all of its pages could take any time. */
    @Test
    void replacesAFileWithMorePagesThanItsLimit() throws Exception {
        open(directory).close();
        long pages = number(file(directory), "PRAGMA page_count");
        CalibrationStore store = open(directory, KEY, new StoreLimits(10, 8, (int) pages));
        store.close();
        assertThat(movedAside(directory)).isEmpty();
        sql(file(directory), "CREATE TABLE more (id INTEGER); DROP TABLE more");
        assertThat(number(file(directory), "PRAGMA page_count")).isGreaterThan(pages);

        open(directory, KEY, new StoreLimits(10, 8, (int) pages)).close();
        assertThat(movedAside(directory)).hasSize(1);
    }

    /** SQLite calls a file without tables empty, however many free pages it has. */
    @Test
    void replacesAnEmptyFileWithMorePagesThanItsLimit() throws Exception {
        sql(
                file(directory),
                "CREATE TABLE t (b); INSERT INTO t VALUES (zeroblob(500000)); DROP TABLE t; PRAGMA user_version = 0");
        assertThat(number(file(directory), "PRAGMA page_count")).isGreaterThan(100);

        open(directory, KEY, new StoreLimits(10, 8, 100)).close();
        assertThat(movedAside(directory)).hasSize(1);
    }

    /** A longer statement than a value may be: SQLite refuses to read it. */
    @Test
    void replacesAFileWithALongStatement() throws Exception {
        open(directory).close();
        sql(file(directory), "CREATE VIEW v AS SELECT '" + "x".repeat(200_000) + "'");
        open(directory).close();
        assertThat(movedAside(directory)).hasSize(1);
    }

    /** It is not ours, so that nothing is moved. */
    @Test
    void keepsADatabaseOfAnotherApplicationWithALongStatement() throws Exception {
        sql(file(directory), "PRAGMA application_id = 7; CREATE VIEW v AS SELECT '" + "x".repeat(200_000) + "'");
        byte[] before = Files.readAllBytes(file(directory));
        assertForeign();
        assertThat(file(directory)).hasBinaryContent(before);
    }

    @Test
    void createsTheWholeSchemaOrNothing() throws Exception {
        StoreLimits tooSmallForTheSchema = new StoreLimits(10, 8, 3);
        assertThatThrownBy(() -> open(directory, KEY, tooSmallForTheSchema))
                .isInstanceOfSatisfying(
                        CalibrationException.class, e -> assertThat(e.fault()).isEqualTo(CalibrationFault.DISK_FULL));
        assertThat(number(file(directory), "SELECT count(*) FROM sqlite_schema"))
                .isZero();
        assertThat(number(file(directory), "PRAGMA application_id")).isZero();
        open(directory).close();
        assertThat(movedAside(directory)).isEmpty();
    }
}
