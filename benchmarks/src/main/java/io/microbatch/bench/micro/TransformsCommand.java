package io.microbatch.bench.micro;

import io.microbatch.bench.Table;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;

/** Runs {@link TransformBenchmark} and {@link UnpackBenchmark}, and compares figures with what is claimed. */
@Command(name = "transforms", description = "Compares the transforms with Kafka's own.")
public final class TransformsCommand extends ForkedCommand {

    private static final int STAMPED_HEADERS = 6;
    private static final double MAX_OF_INSERT_FIELD = 0.5;
    private static final Table TRANSFORMS = new Table()
            .text(26, "transform", "name")
            .number(10, "ns/record", "ns_per_record", "%.1f")
            .number(10, "quartile 1", "ns_per_record_q1", "%.1f")
            .number(10, "quartile 3", "ns_per_record_q3", "%.1f")
            .number(12, "bytes", "bytes_per_record", "%.1f");
    private static final Table UNPACKING = new Table()
            .text(22, "bulk record", "name")
            .number(8, "GB/s", "bytes_per_s", "%.2f", 1e-9)
            .number(14, "ns/event", "ns_per_event", "%.2f")
            .number(14, "bytes/event", "allocated_bytes_per_event", "%.1f")
            .number(14, "of arraycopy", "of_arraycopy", "%.2f")
            .number(14, "of copy-each", "of_copy_each", "%.2f");

    private final Kinds<TransformKind> transforms = new Kinds<>(TransformBenchmark.class, TransformKind.class);
    private final Kinds<UnpackKind> unpacking = new Kinds<>(UnpackBenchmark.class, UnpackKind.class);

    @Override
    List<Kinds<?>> series() {
        return List.of(transforms, unpacking);
    }

    @Override
    Map<String, Object> report(PrintStream out) {
        List<Map<String, Object>> rows = rows(transforms, this::figures);
        out.println(TRANSFORMS.header());
        rows.forEach(row -> out.println(TRANSFORMS.row(row)));
        Map<String, Double> claims = claims();
        claims.forEach((claim, ratio) -> out.println(String.format(Locale.ROOT, "%-66s %6.2f", claim, ratio)));
        List<Map<String, Object>> unpacked = rows(unpacking, this::unpacked);
        out.println();
        out.println(UNPACKING.header());
        unpacking.figures().forEach((kind, figures) -> {
            double events = (double) UnpackBenchmark.RECORD_BYTES / kind.eventBytes();
            Map<String, Object> row = new LinkedHashMap<>(unpacked.get(kind.ordinal()));
            row.put("ns_per_event", figures.median() / events);
            row.put("allocated_bytes_per_event", figures.bytesPerOp() / events);
            out.println(UNPACKING.row(row));
        });
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("transforms", rows);
        result.put("claims_hold_up_to_1", claims);
        result.put("bulk", unpacked);
        return result;
    }

    private Map<String, Object> figures(TransformKind kind) {
        Figures figures = transforms.figures().get(kind);
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("ns_per_record", rounded(figures.median(), 2));
        row.put("ns_per_record_q1", rounded(figures.quantile(0.25), 2));
        row.put("ns_per_record_q3", rounded(figures.quantile(0.75), 2));
        row.put("bytes_per_record", rounded(figures.bytesPerOp(), 2));
        return row;
    }

    /** Each claim holds up to 1. */
    private Map<String, Double> claims() {
        Map<String, Double> claims = new LinkedHashMap<>();
        double header = nanos(TransformKind.INSERT_HEADER);
        claims.put(
                "stamp-pressure of 6 x insert-header",
                rounded(nanos(TransformKind.STAMP_PRESSURE) / (STAMPED_HEADERS * header), 2));
        claims.put(
                "stamp-pressure-level of insert-header",
                rounded(nanos(TransformKind.STAMP_PRESSURE_LEVEL) / header, 2));
        // The first over the same records, the second over the smallest that there can be.
        for (TransformKind insert :
                List.of(TransformKind.INSERT_FIELD_STRUCT_OF_5, TransformKind.INSERT_FIELD_STRUCT_OF_1)) {
            for (TransformKind kind : TransformKind.values()) {
                if (kind == TransformKind.OBSERVE_PRESSURE || kind.name().startsWith("ROUTE")) {
                    claims.put(
                            label(kind) + " of half of " + label(insert),
                            rounded(nanos(kind) / (MAX_OF_INSERT_FIELD * nanos(insert)), 2));
                }
            }
        }
        return claims;
    }

    private double nanos(TransformKind kind) {
        return transforms.figures().get(kind).median();
    }

    private Map<String, Object> unpacked(UnpackKind kind) {
        Figures figures = unpacking.figures().get(kind);
        boolean small = kind.eventBytes() == 64;
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("event_bytes", kind.eventBytes());
        row.put("bytes_per_s", bytesPerSec(figures.median()));
        row.put("bytes_per_s_q1", bytesPerSec(figures.quantile(0.75)));
        row.put("bytes_per_s_q3", bytesPerSec(figures.quantile(0.25)));
        row.put("of_arraycopy", of(UnpackKind.ARRAYCOPY, kind));
        row.put("of_copy_each", of(small ? UnpackKind.COPY_EACH_64 : UnpackKind.COPY_EACH_1024, kind));
        if (kind.makesStrings()) {
            row.put("of_copy_strings", of(small ? UnpackKind.COPY_STRINGS_64 : UnpackKind.COPY_STRINGS_1024, kind));
        }
        row.put("allocated_bytes_per_record", Math.round(figures.bytesPerOp()));
        return row;
    }

    private double of(UnpackKind copy, UnpackKind kind) {
        return rounded(
                unpacking.figures().get(copy).median()
                        / unpacking.figures().get(kind).median(),
                2);
    }

    private static long bytesPerSec(double nanos) {
        return Math.round(UnpackBenchmark.RECORD_BYTES / nanos * 1e9);
    }
}
