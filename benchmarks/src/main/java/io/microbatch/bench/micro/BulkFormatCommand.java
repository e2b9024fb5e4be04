package io.microbatch.bench.micro;

import io.microbatch.bench.Table;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** Runs {@link BulkBenchmark} and reports events per second, and the part of a plain copy. */
@Command(name = "bulk", description = "Compares packing and reading bulk records with a plain copy.")
public final class BulkFormatCommand extends ForkedCommand {

    private static final Table TABLE = new Table()
            .text(32, "kind", "name")
            .number(8, "GB/s", "bytes_per_s", "%.1f", 1e-9)
            .number(14, "events/s", "events_per_s", "%,.0f")
            .number(14, "quartile 1", "events_per_s_q1", "%,.0f")
            .number(14, "quartile 3", "events_per_s_q3", "%,.0f")
            .number(8, "of copy", "of_copy", "%.2f")
            .number(13, "bytes/event", "allocated_bytes_per_event", "%.3f");

    private final Kinds<BulkKind> series = new Kinds<>(BulkBenchmark.class, BulkKind.class);

    @Override
    List<Kinds<?>> series() {
        return List.of(series);
    }

    @Override
    Map<String, Object> report(PrintStream out) {
        List<Map<String, Object>> rows = rows(series, this::figures);
        out.println(TABLE.header());
        rows.forEach(row -> out.println(TABLE.row(row)));
        return Map.of("bulk", rows);
    }

    private Map<String, Object> figures(BulkKind kind) {
        Figures figures = series.figures().get(kind);
        int events = BulkWork.eventCount(kind.eventBytes());
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("event_bytes", kind.eventBytes());
        row.put("bytes_per_s", Math.round(bytesPerSec(kind)));
        row.put("events_per_s", Math.round(figures.median() * events));
        row.put("events_per_s_q1", Math.round(figures.quantile(0.25) * events));
        row.put("events_per_s_q3", Math.round(figures.quantile(0.75) * events));
        row.put("of_copy", rounded(bytesPerSec(kind) / bytesPerSec(kind.copy()), 3));
        row.put("allocated_bytes_per_event", rounded(figures.bytesPerOp() / events, 3));
        return row;
    }

    private double bytesPerSec(BulkKind kind) {
        return series.figures().get(kind).median() * BulkWork.recordBytes(kind.eventBytes());
    }
}
