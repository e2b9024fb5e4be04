package io.microbatch.bench.micro;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The figures of the bulk format as a table for people and as JSON for the results page, each beside its copy. */
final class BulkReport {

    private final Map<BulkKind, Figures> figures;

    BulkReport(Map<BulkKind, Figures> figures) {
        this.figures = figures;
    }

    private double ofCopy(BulkKind kind) {
        return figures.get(kind).median() / figures.get(kind.copy()).median();
    }

    String table() {
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT,
                "%-32s %12s %12s %12s %8s %13s%n",
                "kind",
                "events/s",
                "quartile 1",
                "quartile 3",
                "of copy",
                "bytes/event"));
        figures.forEach((kind, figure) -> table.append(String.format(
                Locale.ROOT,
                "%-32s %,12.0f %,12.0f %,12.0f %8.2f %13.3f%n",
                kind.label(),
                figure.median(),
                figure.quantile(0.25),
                figure.quantile(0.75),
                ofCopy(kind),
                figure.bytesPerOp())));
        return table.toString();
    }

    Map<String, Object> result() {
        List<Map<String, Object>> kinds = new ArrayList<>();
        figures.forEach((kind, figure) -> {
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("name", kind.label());
            result.put("events_per_s", Math.round(figure.median()));
            result.put("events_per_s_q1", Math.round(figure.quantile(0.25)));
            result.put("events_per_s_q3", Math.round(figure.quantile(0.75)));
            result.put("of_copy", Math.round(ofCopy(kind) * 1_000) / 1_000.0);
            result.put("bytes_per_event", Math.round(figure.bytesPerOp() * 1_000) / 1_000.0);
            result.put("iterations", figure.count());
            kinds.add(result);
        });
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("event_bytes", BulkWork.EVENT_BYTES);
        result.put("events_per_record", BulkWork.EVENTS);
        result.put("bulk", kinds);
        return result;
    }
}
