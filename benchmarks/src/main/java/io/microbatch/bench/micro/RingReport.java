package io.microbatch.bench.micro;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The figures of all kinds, by their labels, as a table for people and as JSON for the results page. */
final class RingReport {
    private static final String LINKED = "clq";

    private final Map<String, Figures> figures;

    RingReport(Map<String, Figures> figures) {
        this.figures = figures;
    }

    /** Median, quartiles, ratio to the fastest and to ConcurrentLinkedQueue, allocation. */
    String table() {
        double fastest = figures.values().stream()
                .mapToDouble(figure -> figure.quantile(0.5))
                .max()
                .orElseThrow();
        double linked = figures.get(LINKED).quantile(0.5);
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT,
                "%-18s %12s %12s %12s %10s %7s %13s%n",
                "queue",
                "events/s",
                "quartile 1",
                "quartile 3",
                "of fastest",
                "of clq",
                "bytes/event"));
        figures.forEach((kind, figure) -> table.append(String.format(
                Locale.ROOT,
                "%-18s %,12.0f %,12.0f %,12.0f %10.2f %7.1f %13.3f%n",
                kind,
                figure.quantile(0.5),
                figure.quantile(0.25),
                figure.quantile(0.75),
                figure.quantile(0.5) / fastest,
                figure.quantile(0.5) / linked,
                figure.bytesPerOp())));
        return table.toString();
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
