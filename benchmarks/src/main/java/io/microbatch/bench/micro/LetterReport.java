package io.microbatch.bench.micro;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The figures of the modes of dead letters as a table for people and as JSON, each as a ratio to a worker that converts. */
final class LetterReport {

    private final Map<LetterKind, Figures> figures;

    LetterReport(Map<LetterKind, Figures> figures) {
        this.figures = figures;
    }

    private double ofNone(LetterKind kind) {
        return figures.get(kind).median() / figures.get(LetterKind.NONE).median();
    }

    String table() {
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT,
                "%-10s %10s %10s %10s %12s %8s%n",
                "mode",
                "ns/event",
                "quartile 1",
                "quartile 3",
                "bytes/event",
                "of none"));
        figures.forEach((kind, figure) -> table.append(String.format(
                Locale.ROOT,
                "%-10s %10.0f %10.0f %10.0f %12.0f %8.2f%n",
                kind.label(),
                figure.median(),
                figure.quantile(0.25),
                figure.quantile(0.75),
                figure.bytesPerOp(),
                ofNone(kind))));
        return table.toString();
    }

    Map<String, Object> result() {
        List<Map<String, Object>> modes = new ArrayList<>();
        figures.forEach((kind, figure) -> {
            Map<String, Object> mode = new LinkedHashMap<>();
            mode.put("name", kind.label());
            mode.put("ns_per_event", Math.round(figure.median()));
            mode.put("ns_per_event_q1", Math.round(figure.quantile(0.25)));
            mode.put("ns_per_event_q3", Math.round(figure.quantile(0.75)));
            mode.put("bytes_per_event", Math.round(figure.bytesPerOp()));
            mode.put("of_none", Math.round(ofNone(kind) * 100) / 100.0);
            mode.put("iterations", figure.count());
            modes.add(mode);
        });
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("letters", modes);
        return result;
    }
}
