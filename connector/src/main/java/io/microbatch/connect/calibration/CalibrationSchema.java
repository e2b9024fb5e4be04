package io.microbatch.connect.calibration;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.sqlite.jdbc4.JDBC4Connection;

/**
 * The tables of a calibration file. A file has these and nothing else: SQLite would run a trigger or an expression of
 * the file with the connector's own statements, for any time and with any memory. Stateless; calibration thread.
 */
final class CalibrationSchema {

    private static final String SCRIPT = "/db/calibration/schema.sql";

    private CalibrationSchema() {}

    /** The statements that create the schema in an empty database. */
    static String script() {
        try (InputStream script = CalibrationSchema.class.getResourceAsStream(SCRIPT)) {
            if (script == null) {
                throw new IllegalStateException("the jar lacks " + SCRIPT);
            }
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads the schema of a database and nothing else of it.
     *
     * @throws CalibrationException CORRUPT if it is not the schema of this version
     */
    static void check(Statement statement) throws SQLException, CalibrationException {
        List<String> found = objects(statement);
        try (Connection memory = new JDBC4Connection("jdbc:sqlite::memory:", ":memory:", new Properties());
                Statement own = memory.createStatement()) {
            own.executeUpdate(script());
            if (!found.equals(objects(own))) {
                throw new CalibrationException(
                        CalibrationFault.CORRUPT,
                        "its schema is not that of version " + CalibrationFile.SCHEMA_VERSION);
            }
        }
    }

    private static List<String> objects(Statement statement) throws SQLException {
        List<String> objects = new ArrayList<>();
        try (ResultSet rows =
                statement.executeQuery("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name")) {
            while (rows.next()) {
                objects.add(String.join(
                        "\n",
                        rows.getString(1),
                        rows.getString(2),
                        rows.getString(3),
                        String.valueOf(rows.getString(4))));
            }
        }
        return objects;
    }
}
