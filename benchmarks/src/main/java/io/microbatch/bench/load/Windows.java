package io.microbatch.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.sqlite.SQLiteDataSource;

/** The observation windows of one run. Immutable. */
public record Windows(List<Window> all) {

    private static final int BUSY_TIMEOUT_MS = 10_000;

    /** Reads the calibration file of a task that has ended. Empty if it wrote none. */
    static Windows read(Path directory) {
        if (!Files.isDirectory(directory)) {
            return new Windows(List.of());
        }
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> databases = files.filter(file -> file.toString().endsWith(".calibration"))
                    .toList();
            return new Windows(databases.isEmpty() ? List.of() : rows(databases.get(0)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot read the observations in " + directory, e);
        }
    }

    private static List<Window> rows(Path database) throws SQLException {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + database);
        // The task may be about to close it.
        source.setBusyTimeout(BUSY_TIMEOUT_MS);
        List<Window> windows = new ArrayList<>();
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT * FROM observation ORDER BY id")) {
            while (rows.next()) {
                windows.add(new Window(
                        rows.getLong("window_end_epoch_ms"),
                        rows.getInt("level"),
                        rows.getInt("batch_target_events"),
                        rows.getDouble("linger_ms"),
                        rows.getLong("batches"),
                        rows.getLong("window_ms"),
                        rows.getDouble("capacity_per_sec"),
                        rows.getDouble("ack_p50_ms"),
                        rows.getDouble("ack_p99_ms"),
                        rows.getInt("explored") != 0));
            }
        }
        return windows;
    }

    /** Those that fit. */
    public Windows where(Predicate<Window> wanted) {
        return new Windows(all.stream().filter(wanted).toList());
    }

    /** The last ones, up to this count. */
    public Windows last(int count) {
        return new Windows(List.copyOf(all.subList(Math.max(0, all.size() - count), all.size())));
    }

    /** The median of a figure. Not a number when there is no window. */
    public double median(ToDoubleFunction<Window> figure) {
        return Medians.of(all.stream().map(figure::applyAsDouble).toList());
    }

    /** The largest. Not a number when there is no window. */
    public double worst(ToDoubleFunction<Window> figure) {
        return all.stream().mapToDouble(figure).max().orElse(Double.NaN);
    }
}
