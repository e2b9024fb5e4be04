package io.microbatch.connect.calibration;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * What the tables have in common: values are bound and checksummed in one order, and a row that is out of range or
 * whose checksum disagrees is counted and not used. One thread.
 *
 * @param <T> what a row says
 */
abstract class StoredRows<T> {
    private final String table;
    private final CalibrationKey key;
    private long skipped;

    StoredRows(String table, CalibrationKey key) {
        this.table = table;
        this.key = key;
    }

    /** The row's values in the order of the statements, whole numbers as Long and others as Double. */
    abstract Object[] values(T row);

    /** The row under the cursor. Throws IllegalArgumentException or ArithmeticException for values out of range. */
    abstract T read(ResultSet rows) throws SQLException;

    final long skipped() {
        return skipped;
    }

    /** Binds the key's number, the values and their checksum, and runs the statement. */
    final void write(PreparedStatement statement, long keyId, T row) throws SQLException {
        Object[] values = values(row);
        bind(statement, keyId);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 2, values[i]);
        }
        statement.setLong(values.length + 2, RowChecksum.of(table, key, values));
        statement.executeUpdate();
    }

    /** Every row of the query that can be believed. */
    final List<T> readAll(PreparedStatement query, long... parameters) throws SQLException {
        bind(query, parameters);
        List<T> result = new ArrayList<>();
        try (ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                readInto(result, rows);
            }
        }
        return result;
    }

    static void bind(PreparedStatement statement, long... parameters) throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            statement.setLong(i + 1, parameters[i]);
        }
    }

    private void readInto(List<T> result, ResultSet rows) throws SQLException {
        try {
            T row = read(rows);
            if (RowChecksum.of(table, key, values(row)) == rows.getLong("crc")) {
                result.add(row);
                return;
            }
        } catch (IllegalArgumentException | ArithmeticException e) {
            // Counted below, as a row whose checksum disagrees is.
        }
        skipped++;
    }
}
