package io.microbatch.bench.cdc;

import io.microbatch.bench.Table;
import io.microbatch.bench.rows.LoadWriters;
import io.microbatch.testbed.oracle.Findings;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints the outcome as a table and a verdict, and renders it for {@code --json}. */
record DemoReport(String connectorClass, List<PhaseResult> results, Findings found) {

    private static final Table TABLE = new Table()
            .text(16, "rate", "label")
            .number(11, "written", "written", "%s")
            .number(8, "rows/tx", "rows_per_transaction", "%.0f")
            .number(6, "level", "level", "%s")
            .number(7, "N", "batch_target_events", "%,.0f")
            .number(8, "T", "linger", "%s")
            .number(10, "p50", "p50", "%s")
            .number(10, "p99", "p99", "%s")
            .number(9, "batch", "batch_events", "%,.0f")
            .number(7, "tx/s", "transactions_per_sec", "%,.0f");

    boolean isVerified() {
        return TableCheck.isVerified(found);
    }

    void print(PrintWriter out) {
        out.println();
        out.println(TABLE.header());
        results.forEach(result -> out.println(TABLE.row(result.toRow())));
        out.println();
        out.println("written: rows/s that the database took, rows/tx of them in one transaction of the database,");
        out.println("  from " + LoadWriters.WRITER_COUNT + " connections, each with accounts of its own");
        out.println("N, T: maximum records and linger of a batch, at the highest pressure");
        out.println("p50, p99: from the row's commit in PostgreSQL to a read_committed consumer holding it");
        out.println("batch: mean events per poll; tx/s: Kafka transactions, everything on the broker counted");
        results.stream()
                .filter(PhaseResult::isLate)
                .forEach(result -> out.printf(
                        Locale.ROOT,
                        "%s was not reached: the database fell %,d ms behind%n",
                        result.phase().label(),
                        result.lateNanos() / 1_000_000));
        out.println();
        out.printf(
                Locale.ROOT,
                "%,d rows in the table: %,d lost, %,d duplicated, %,d reordered per key, %,d foreign or altered%n",
                found.events(),
                found.lost(),
                found.duplicated(),
                found.reordered(),
                found.foreign());
        out.printf(
                Locale.ROOT,
                "VERIFIED: %s (lost %d, duplicated %d, reordered %d)%n",
                isVerified() ? "YES" : "NO",
                found.lost(),
                found.duplicated(),
                found.reordered());
        out.flush();
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("verified", isVerified());
        json.put("events", found.events());
        json.put("lost", found.lost());
        json.put("duplicated", found.duplicated());
        json.put("reordered", found.reordered());
        json.put("foreign", found.foreign());
        json.put("connector_class", connectorClass);
        json.put("phases", results.stream().map(PhaseResult::toJson).toList());
        return json;
    }
}
