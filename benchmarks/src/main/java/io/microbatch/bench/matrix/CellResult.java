package io.microbatch.bench.matrix;

import io.microbatch.connect.metrics.Metric;
import io.microbatch.testbed.oracle.Findings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a cell showed.
 *
 * @param found the events of all connectors
 * @param metrics the number of metrics that a task published
 * @param failure why the cell could not be finished; empty if it could
 */
record CellResult(Cell cell, Findings found, int metrics, List<String> passed, String failure) {

    static CellResult failed(Cell cell, List<String> passed, String failure) {
        return new CellResult(cell, Findings.NONE, 0, passed, failure);
    }

    boolean isVerified() {
        return failure.isEmpty() && found.events() > 0 && found.isExactlyOnce() && metrics == Metric.values().length;
    }

    /** Without figures if the cell is not verified, except those that show why. */
    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("worker", cell.worker().version());
        json.put("broker", cell.broker().version());
        json.put("java", cell.java().version());
        json.put("debezium", cell.debezium().version());
        json.put("postgres", cell.postgres().version());
        json.put("verified", isVerified());
        json.put("passed", passed);
        if (failure.isEmpty()) {
            json.putAll(found.toJson());
            json.put("metrics", metrics);
        } else {
            json.put("failure", failure);
        }
        return json;
    }

    String text() {
        if (!failure.isEmpty()) {
            return "FAILED: " + failure;
        }
        return (isVerified() ? "verified: " : "NOT VERIFIED: ") + found.events() + " events, " + found + ", " + metrics
                + " of " + Metric.values().length + " metrics";
    }
}
