package io.microbatch.bench.micro;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The figures of all transforms as a table for people and as JSON for the results page, with what they are held to. */
final class TransformReport {

    private static final int STAMPED_HEADERS = 6;
    private static final double MOST_OF_INSERT_FIELD = 0.5;

    private final Map<TransformKind, Figures> figures;

    TransformReport(Map<TransformKind, Figures> figures) {
        this.figures = figures;
    }

    String table() {
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT,
                "%-26s %10s %10s %10s %12s%n",
                "transform",
                "ns/record",
                "quartile 1",
                "quartile 3",
                "bytes"));
        figures.forEach((kind, figure) -> table.append(String.format(
                Locale.ROOT,
                "%-26s %10.1f %10.1f %10.1f %12.1f%n",
                kind.label(),
                figure.median(),
                figure.quantile(0.25),
                figure.quantile(0.75),
                figure.bytesPerOp())));
        claims().forEach((claim, ratio) -> table.append(String.format(Locale.ROOT, "%-66s %6.2f%n", claim, ratio)));
        return table.toString();
    }

    /** Each claim holds up to 1. */
    private Map<String, Double> claims() {
        Map<String, Double> claims = new LinkedHashMap<>();
        double header = figures.get(TransformKind.INSERT_HEADER).median();
        claims.put(
                "stamp-pressure of 6 x insert-header",
                figures.get(TransformKind.STAMP_PRESSURE).median() / (STAMPED_HEADERS * header));
        claims.put(
                "stamp-pressure-level of insert-header",
                figures.get(TransformKind.STAMP_PRESSURE_LEVEL).median() / header);
        addShares(claims, TransformKind.INSERT_FIELD_STRUCT_OF_5);
        addShares(claims, TransformKind.INSERT_FIELD_STRUCT_OF_1);
        return claims;
    }

    /** The first over the same records, the second over the smallest that there can be. */
    private void addShares(Map<String, Double> claims, TransformKind insertField) {
        double most = MOST_OF_INSERT_FIELD * figures.get(insertField).median();
        figures.forEach((kind, figure) -> {
            if (kind == TransformKind.OBSERVE_PRESSURE || kind.name().startsWith("ROUTE")) {
                claims.put(kind.label() + " of half of " + insertField.label(), figure.median() / most);
            }
        });
    }

    Map<String, Object> result() {
        List<Map<String, Object>> transforms = new ArrayList<>();
        figures.forEach((kind, figure) -> {
            Map<String, Object> transform = new LinkedHashMap<>();
            transform.put("name", kind.label());
            transform.put("ns_per_record", rounded(figure.median()));
            transform.put("ns_per_record_q1", rounded(figure.quantile(0.25)));
            transform.put("ns_per_record_q3", rounded(figure.quantile(0.75)));
            transform.put("bytes_per_record", rounded(figure.bytesPerOp()));
            transform.put("iterations", figure.count());
            transforms.add(transform);
        });
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("transforms", transforms);
        Map<String, Double> claims = new LinkedHashMap<>();
        claims().forEach((claim, ratio) -> claims.put(claim, rounded(ratio)));
        result.put("claims_hold_up_to_1", claims);
        return result;
    }

    private static double rounded(double value) {
        return Math.round(value * 100) / 100.0;
    }
}
