package io.microbatch.bench.micro;

import io.microbatch.bench.Table;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** Runs {@link RingBenchmark} and reports events per second. */
@Command(name = "rings", description = "Compares the stripe with other queues, one thread to one thread.")
public final class RingsCommand extends ForkedCommand {

    private static final int CORES_NEEDED = 2;

    private final Kinds<HandoverKind> series = new Kinds<>(RingBenchmark.class, HandoverKind.class);

    @Override
    List<Kinds<?>> series() {
        return List.of(series);
    }

    @Override
    Map<String, Object> report(PrintStream out) {
        int cores = Runtime.getRuntime().availableProcessors();
        if (cores < CORES_NEEDED) {
            out.println("Warning: " + cores + " core; producer and consumer take turns and the figures mean little.");
        }
        double fastest = series.figures().values().stream()
                .mapToDouble(Figures::median)
                .max()
                .orElseThrow();
        Table table = new Table()
                .text(18, "queue", "name")
                .number(12, "events/s", "events_per_s", "%,.0f")
                .number(12, "quartile 1", "events_per_s_q1", "%,.0f")
                .number(12, "quartile 3", "events_per_s_q3", "%,.0f")
                .number(10, "of fastest", "events_per_s", "%.2f", 1 / fastest)
                .number(
                        7,
                        "of clq",
                        "events_per_s",
                        "%.1f",
                        1 / series.figures().get(HandoverKind.CLQ).median())
                .number(13, "bytes/event", "bytes_per_event", "%.3f");
        List<Map<String, Object>> rows = rows(series, this::figures);
        out.println(table.header());
        rows.forEach(row -> out.println(table.row(row)));
        return Map.of("rings", rows);
    }

    private Map<String, Object> figures(HandoverKind kind) {
        Figures figures = series.figures().get(kind);
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("events_per_s", Math.round(figures.median()));
        row.put("events_per_s_q1", Math.round(figures.quantile(0.25)));
        row.put("events_per_s_q3", Math.round(figures.quantile(0.75)));
        row.put("bytes_per_event", rounded(figures.bytesPerOp(), 3));
        return row;
    }
}
