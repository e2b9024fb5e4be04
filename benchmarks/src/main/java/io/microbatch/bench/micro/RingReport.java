package io.microbatch.bench.micro;

import io.microbatch.bench.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The figures of all kinds, by their labels, as a table for people and as JSON for the results page. */
final class RingReport {
    private static final String LINKED = "clq";

    private final Map<String, Figures> figures;

    RingReport(Map<String, Figures> figures) {
        this.figures = figures;
    }

    /** Median, quartiles, ratio to the fastest and to ConcurrentLinkedQueue, allocation. */
    String table() {
        Table table = new Table()
                .text(18, "queue", "name")
                .number(12, "events/s", "events_per_s", "%,.0f")
                .number(12, "quartile 1", "events_per_s_q1", "%,.0f")
                .number(12, "quartile 3", "events_per_s_q3", "%,.0f")
                .number(10, "of fastest", "events_per_s", "%.2f", 1 / fastest())
                .number(
                        7,
                        "of clq",
                        "events_per_s",
                        "%.1f",
                        1 / figures.get(LINKED).median())
                .number(13, "bytes/event", "bytes_per_event", "%.3f");
        return Stream.concat(Stream.of(table.header()), result().stream().map(table::row))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private double fastest() {
        return figures.values().stream().mapToDouble(Figures::median).max().orElseThrow();
    }

    /** The figures by name, in the order of the kinds; only what verified has any. */
    List<Map<String, Object>> result() {
        List<Map<String, Object>> rings = new ArrayList<>();
        figures.forEach((kind, figure) -> {
            Map<String, Object> ring = new LinkedHashMap<>();
            ring.put("name", kind);
            ring.put("events_per_s", Math.round(figure.quantile(0.5)));
            ring.put("events_per_s_q1", Math.round(figure.quantile(0.25)));
            ring.put("events_per_s_q3", Math.round(figure.quantile(0.75)));
            ring.put("bytes_per_event", Math.round(figure.bytesPerOp() * 1_000) / 1_000.0);
            ring.put("iterations", figure.count());
            rings.add(ring);
        });
        return rings;
    }
}
