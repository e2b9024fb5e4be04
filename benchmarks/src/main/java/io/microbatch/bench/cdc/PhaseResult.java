package io.microbatch.bench.cdc;

import io.microbatch.bench.cdc.PipelineMetrics.Snapshot;
import io.microbatch.bench.rows.LoadPhase;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What one phase of the load showed.
 *
 * @param elapsedNanos from its start to its last commit, or for the last phase to the last event in Kafka
 * @param writeNanos from its start to its last commit
 * @param lateNanos how late its last transactions began
 * @param pressed the sample at its highest pressure
 * @param before the sample at its start
 * @param after the sample at its end
 * @param latencies of its rows, in microseconds
 */
record PhaseResult(
        LoadPhase phase,
        long elapsedNanos,
        long writeNanos,
        long lateNanos,
        Snapshot pressed,
        Snapshot before,
        Snapshot after,
        Histogram latencies) {

    double writtenPerSec() {
        // An open-loop phase lasts as long as planned, although its last row is written a little before that.
        return phase.rowCount() * 1e9 / Math.max(writeNanos, phase.plannedNanos());
    }

    boolean isLate() {
        return phase.isLate(lateNanos);
    }

    /** As a result has it. */
    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        // A burst has no rate of its own: the one at which the database took it.
        json.put("rate", phase.isBurst() ? Math.round(writtenPerSec()) : (long) phase.ratePerSec());
        json.put("burst", phase.isBurst());
        json.put("rows", phase.rowCount());
        json.put("rows_per_transaction", phase.rowsPerTransaction());
        json.put("written_per_sec", writtenPerSec());
        json.put("late_ms", lateNanos / 1_000_000);
        json.put("level", orNull(pressed.level()));
        json.put("batch_target_events", orNull(pressed.batchTarget()));
        json.put("linger_ms", orNull(pressed.lingerMs()));
        json.put("p50_ms", latencies.getValueAtPercentile(50) / 1e3);
        json.put("p99_ms", latencies.getValueAtPercentile(99) / 1e3);
        json.put("batch_events", orNull(after.batchEventsSince(before)));
        json.put("transactions_per_sec", (after.transactions() - before.transactions()) * 1e9 / elapsedNanos);
        return json;
    }

    /** As the demo's table has it. */
    Map<String, Object> toRow() {
        Map<String, Object> row = new LinkedHashMap<>(toJson());
        row.put("label", phase.label());
        row.put("written", String.format(Locale.ROOT, "%,.0f/s", writtenPerSec()));
        row.put("level", level(pressed.level()));
        row.put("linger", ms(pressed.lingerMs()));
        row.put("p50", latency(latencies, 50));
        row.put("p99", latency(latencies, 99));
        return row;
    }

    private static Double orNull(double value) {
        return Double.isNaN(value) ? null : (Double) value;
    }

    static String level(double level) {
        return Double.isNaN(level) ? "-" : "L" + Math.round(level);
    }

    static String ms(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, value < 10 ? "%.1f ms" : "%,.0f ms", value);
    }

    static String latency(Histogram micros, double percentile) {
        return micros.getTotalCount() == 0 ? "-" : ms(micros.getValueAtPercentile(percentile) / 1e3);
    }
}
