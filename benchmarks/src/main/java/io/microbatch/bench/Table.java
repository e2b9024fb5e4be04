package io.microbatch.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Prints results as lines of a table: a row is a map, and each column names the key that it shows. What is absent, or
 * not a finite number, is a dash. Built first, then immutable.
 */
public final class Table {

    private final List<Column> columns = new ArrayList<>();

    private record Column(String align, String title, String key, String format, double scale) {}

    /** Adds a column of text, aligned left. */
    public Table text(int width, String title, String key) {
        columns.add(new Column("%-" + width + "s", title, key, "%s", 1));
        return this;
    }

    /** Adds a column of numbers, aligned right, in a format of {@link String#format}. */
    public Table number(int width, String title, String key, String format) {
        return number(width, title, key, format, 1);
    }

    /** The same with each number multiplied by a factor. */
    public Table number(int width, String title, String key, String format, double scale) {
        columns.add(new Column(" %" + width + "s", title, key, format, scale));
        return this;
    }

    /** The titles. */
    public String header() {
        StringBuilder line = new StringBuilder();
        columns.forEach(column -> line.append(String.format(column.align, column.title)));
        return line.toString();
    }

    /** A row. */
    public String row(Map<String, ?> row) {
        StringBuilder line = new StringBuilder();
        columns.forEach(column -> line.append(String.format(column.align, cell(column, row.get(column.key)))));
        return line.toString();
    }

    private static String cell(Column column, Object value) {
        if (value instanceof Number number) {
            double scaled = number.doubleValue() * column.scale;
            return Double.isFinite(scaled) ? String.format(Locale.ROOT, column.format, scaled) : "-";
        }
        return value == null ? "-" : value.toString();
    }
}
