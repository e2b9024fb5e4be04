package io.microbatch.bench.cdc;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** Prints the outcome as a table and a verdict, and renders it for {@code --json}. */
record DemoReport(String connectorClass, List<PhaseResult> results, Verification verification) {

    private static final String COLUMNS = "%-16s %11s %8s %6s %7s %8s %10s %10s %9s %7s%n";

    void print(PrintWriter out) {
        out.println();
        out.printf(COLUMNS, "rate", "written", "rows/tx", "level", "N", "T", "p50", "p99", "batch", "tx/s");
        for (PhaseResult result : results) {
            out.printf(
                    COLUMNS,
                    result.phase().label(),
                    String.format(Locale.ROOT, "%,.0f/s", result.writtenPerSec()),
                    result.phase().rowsPerTransaction(),
                    Texts.level(result.pressed().level()),
                    Texts.count(result.pressed().batchTarget()),
                    Texts.ms(result.pressed().lingerMs()),
                    Texts.latency(result.latencies(), 50),
                    Texts.latency(result.latencies(), 99),
                    Texts.count(result.batchEvents()),
                    Texts.count(OptionalDouble.of(result.transactionsPerSec())));
        }
        out.println();
        out.println("written: rows/s that the database took, rows/tx of them in one transaction of the database,");
        out.println("  from " + LoadWriters.WRITER_COUNT + " connections, each with accounts of its own");
        out.println("p50, p99: from the row's commit in PostgreSQL to a read_committed consumer holding it");
        out.println("batch: mean events per poll; tx/s: Kafka transactions, everything on the broker counted");
        for (PhaseResult result : results) {
            if (result.isLate()) {
                out.printf(
                        Locale.ROOT,
                        "%s was not reached: the database fell %,d ms behind%n",
                        result.phase().label(),
                        result.lateNanos() / 1_000_000);
            }
        }
        out.println();
        out.printf(
                Locale.ROOT,
                "%,d rows in the table: %,d lost, %,d duplicated, %,d reordered per key, %,d foreign or altered%n",
                verification.events(),
                verification.lost(),
                verification.duplicated(),
                verification.reordered(),
                verification.foreign());
        out.printf(
                Locale.ROOT,
                "VERIFIED: %s (lost %d, duplicated %d, reordered %d)%n",
                verification.isVerified() ? "YES" : "NO",
                verification.lost(),
                verification.duplicated(),
                verification.reordered());
        out.flush();
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("verified", verification.isVerified());
        json.put("events", verification.events());
        json.put("lost", verification.lost());
        json.put("duplicated", verification.duplicated());
        json.put("reordered", verification.reordered());
        json.put("foreign", verification.foreign());
        json.put("connector_class", connectorClass);
        List<Map<String, Object>> phases = new ArrayList<>();
        results.forEach(result -> phases.add(phase(result)));
        json.put("phases", phases);
        return json;
    }

    private static Map<String, Object> phase(PhaseResult result) {
        Map<String, Object> json = new LinkedHashMap<>();
        // A burst has no rate of its own: the one at which the database took it.
        json.put(
                "rate",
                result.phase().isBurst()
                        ? Math.round(result.writtenPerSec())
                        : (long) result.phase().ratePerSec());
        json.put("burst", result.phase().isBurst());
        json.put("rows", result.phase().rowCount());
        json.put("rows_per_transaction", result.phase().rowsPerTransaction());
        json.put("written_per_sec", result.writtenPerSec());
        json.put("late_ms", result.lateNanos() / 1_000_000);
        json.put("level", orNull(result.pressed().level()));
        json.put("batch_target_events", orNull(result.pressed().batchTarget()));
        json.put("linger_ms", orNull(result.pressed().lingerMs()));
        json.put("p50_ms", result.p50Ms());
        json.put("p99_ms", result.p99Ms());
        json.put("batch_events", orNull(result.batchEvents()));
        json.put("transactions_per_sec", result.transactionsPerSec());
        return json;
    }

    private static Double orNull(OptionalDouble value) {
        return value.isPresent() ? (Double) value.getAsDouble() : null;
    }
}
