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

    /** By the bytes of the records. */
    private double ofCopy(BulkKind kind) {
        return bytesPerSec(kind, 0.5) / bytesPerSec(kind.copy(), 0.5);
    }

    private double bytesPerSec(BulkKind kind, double quantile) {
        return figures.get(kind).quantile(quantile) * BulkWork.recordBytes(kind.eventBytes());
    }

    private double eventsPerSec(BulkKind kind, double quantile) {
        return figures.get(kind).quantile(quantile) * BulkWork.eventCount(kind.eventBytes());
    }

    private double allocatedBytesPerEvent(BulkKind kind) {
        return figures.get(kind).bytesPerOp() / BulkWork.eventCount(kind.eventBytes());
    }

    String table() {
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT,
                "%-32s %8s %14s %14s %14s %8s %13s%n",
                "kind",
                "GB/s",
                "events/s",
                "quartile 1",
                "quartile 3",
                "of copy",
                "bytes/event"));
        for (BulkKind kind : figures.keySet()) {
            table.append(String.format(
                    Locale.ROOT,
                    "%-32s %8.1f %,14.0f %,14.0f %,14.0f %8.2f %13.3f%n",
                    kind.label(),
                    bytesPerSec(kind, 0.5) / 1e9,
                    eventsPerSec(kind, 0.5),
                    eventsPerSec(kind, 0.25),
                    eventsPerSec(kind, 0.75),
                    ofCopy(kind),
                    allocatedBytesPerEvent(kind)));
        }
        return table.toString();
    }

    Map<String, Object> result() {
        List<Map<String, Object>> kinds = new ArrayList<>();
        for (BulkKind kind : figures.keySet()) {
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("name", kind.label());
            result.put("event_bytes", kind.eventBytes());
            result.put("bytes_per_s", Math.round(bytesPerSec(kind, 0.5)));
            result.put("events_per_s", Math.round(eventsPerSec(kind, 0.5)));
            result.put("events_per_s_q1", Math.round(eventsPerSec(kind, 0.25)));
            result.put("events_per_s_q3", Math.round(eventsPerSec(kind, 0.75)));
            result.put("of_copy", Math.round(ofCopy(kind) * 1_000) / 1_000.0);
            result.put("allocated_bytes_per_event", Math.round(allocatedBytesPerEvent(kind) * 1_000) / 1_000.0);
            result.put("iterations", figures.get(kind).count());
            kinds.add(result);
        }
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("bulk", kinds);
        return result;
    }
}
