package io.microbatch.bench.micro;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The figures of all ways to get at a bulk record's events, in bytes of the record per second. */
final class UnpackReport {

    private final Map<UnpackKind, Figures> figures;

    UnpackReport(Map<UnpackKind, Figures> figures) {
        this.figures = figures;
    }

    private static double gigabytesPerSec(double nanos) {
        return UnpackBenchmark.RECORD_BYTES / nanos;
    }

    private double ofArraycopy(Figures figure) {
        return figures.get(UnpackKind.ARRAYCOPY).median() / figure.median();
    }

    private double ofCopyEach(UnpackKind kind) {
        UnpackKind copy = kind.eventBytes() == 64 ? UnpackKind.COPY_EACH_64 : UnpackKind.COPY_EACH_1024;
        return figures.get(copy).median() / figures.get(kind).median();
    }

    /** The same where strings are made; of no meaning elsewhere. */
    private double ofCopyStrings(UnpackKind kind) {
        UnpackKind copy = kind.eventBytes() == 64 ? UnpackKind.COPY_STRINGS_64 : UnpackKind.COPY_STRINGS_1024;
        return figures.get(copy).median() / figures.get(kind).median();
    }

    String table() {
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT,
                "%-22s %8s %14s %14s %14s %14s%n",
                "bulk record",
                "GB/s",
                "ns/event",
                "bytes/event",
                "of arraycopy",
                "of copy-each"));
        figures.forEach((kind, figure) -> {
            double events = (double) UnpackBenchmark.RECORD_BYTES / kind.eventBytes();
            table.append(String.format(
                    Locale.ROOT,
                    "%-22s %8.2f %14.2f %14.1f %14.2f %14.2f%n",
                    kind.label(),
                    gigabytesPerSec(figure.median()),
                    figure.median() / events,
                    figure.bytesPerOp() / events,
                    ofArraycopy(figure),
                    ofCopyEach(kind)));
        });
        return table.toString();
    }

    List<Map<String, Object>> result() {
        List<Map<String, Object>> result = new ArrayList<>();
        figures.forEach((kind, figure) -> {
            Map<String, Object> unpack = new LinkedHashMap<>();
            unpack.put("name", kind.label());
            unpack.put("event_bytes", kind.eventBytes());
            unpack.put("bytes_per_s", Math.round(gigabytesPerSec(figure.median()) * 1e9));
            unpack.put("bytes_per_s_q1", Math.round(gigabytesPerSec(figure.quantile(0.75)) * 1e9));
            unpack.put("bytes_per_s_q3", Math.round(gigabytesPerSec(figure.quantile(0.25)) * 1e9));
            unpack.put("of_arraycopy", Math.round(ofArraycopy(figure) * 100) / 100.0);
            unpack.put("of_copy_each", Math.round(ofCopyEach(kind) * 100) / 100.0);
            if (kind.makesStrings()) {
                unpack.put("of_copy_strings", Math.round(ofCopyStrings(kind) * 100) / 100.0);
            }
            unpack.put("allocated_bytes_per_record", Math.round(figure.bytesPerOp()));
            unpack.put("iterations", figure.count());
            result.add(unpack);
        });
        return result;
    }
}
