package io.microbatch.bench.faults;

import io.microbatch.bench.load.Delivery;
import io.microbatch.testbed.oracle.Findings;
import io.microbatch.testbed.oracle.Oracle;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sums up a run.
 *
 * @param results the rounds that were run
 * @param remains error reports and heap dumps that JVMs left, each of which spoils the run
 * @param complete whether the whole schedule was run
 */
record FaultsReport(long seed, List<RoundResult> results, List<Path> remains, boolean complete, long seconds) {

    boolean isVerified() {
        return complete && remains.isEmpty() && results.stream().allMatch(RoundResult::isVerified);
    }

    void print(PrintWriter out) {
        out.println();
        out.printf(
                Locale.ROOT,
                "seed %d: %d faults in %d rounds, %d worker kills, %d broker kills, %d s%n",
                seed,
                faults().size(),
                results.size(),
                workerKills(),
                brokerKills(),
                seconds);
        for (Delivery mode : Delivery.values()) {
            out.printf(
                    Locale.ROOT,
                    "%-14s %,d events, %d worker kills: %s%n",
                    mode.text(),
                    sum(mode).events(),
                    workerKills(mode),
                    sum(mode));
        }
        for (Delivery mode : Delivery.values()) {
            if (!http(mode).isEmpty()) {
                out.printf(Locale.ROOT, "%-14s clients: %s%n", mode.text(), HttpResult.sum(http(mode)));
            }
            if (!outbox(mode).isEmpty()) {
                out.printf(Locale.ROOT, "%-14s outbox: %s%n", mode.text(), OutboxResult.sum(outbox(mode)));
            }
        }
        out.printf(
                Locale.ROOT,
                "recovery after kills and freezes: median %.1f s, p99 %.1f s%n",
                percentile(recoveries(), 50) / 1_000.0,
                percentile(recoveries(), 99) / 1_000.0);
        if (workerKills() > 0) {
            out.printf(
                    Locale.ROOT,
                    "with 95 %% confidence fewer than %.1f %% of worker kills break the promise (3/n)%n",
                    300.0 / workerKills());
        }
        interventions().forEach(what -> out.println("intervened: " + what));
        remains.forEach(file -> out.println("a JVM died: " + file));
        results.stream()
                .filter(result -> !result.isVerified())
                .forEach(result -> out.println("not verified: " + result.name() + ": " + result.findings() + " "
                        + result.findings().unsoundPartitions() + " " + result.problem()));
        out.flush();
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("runs", faults().size());
        for (Delivery mode : Delivery.values()) {
            json.put(mode.key(), mode(mode));
        }
        List<HttpResult> http = http(Delivery.EXACTLY_ONCE);
        if (!http.isEmpty()) {
            Map<String, Object> sums = HttpResult.sum(http).toJson();
            sums.put(
                    "at_least_once",
                    HttpResult.sum(http(Delivery.AT_LEAST_ONCE)).toJson());
            json.put("http", sums);
        }
        if (!outbox(Delivery.EXACTLY_ONCE).isEmpty()) {
            Map<String, Object> sums =
                    OutboxResult.sum(outbox(Delivery.EXACTLY_ONCE)).toJson();
            sums.put(
                    "at_least_once",
                    OutboxResult.sum(outbox(Delivery.AT_LEAST_ONCE)).toJson());
            json.put("outbox", sums);
        }
        json.put("recovery_ms_p50", percentile(recoveries(), 50));
        json.put("recovery_ms_p99", percentile(recoveries(), 99));
        json.put("seed", seed);
        json.put("rounds", results.size());
        json.put("complete", complete);
        json.put("seconds", seconds);
        json.put("worker_kills", workerKills());
        json.put("broker_kills", brokerKills());
        json.put(
                "not_reached",
                faults().stream().filter(fault -> !fault.reached()).count());
        json.put("bound_95_per_worker_kill", bound(workerKills()));
        List<RoundResult> planted =
                results.stream().filter(each -> each.round().planted()).toList();
        json.put(
                "planted_bugs_seen", planted.isEmpty() ? null : planted.stream().allMatch(RoundResult::isVerified));
        json.put("jvm_deaths", remains.size());
        json.put("interventions", interventions());
        json.put("faults", perFault());
        json.put(
                "problems",
                results.stream()
                        .map(RoundResult::problem)
                        .filter(text -> !text.isEmpty())
                        .toList());
        return json;
    }

    /** Each with the round that needed it. */
    private List<String> interventions() {
        return results.stream()
                .flatMap(result -> result.interventions().stream().map(what -> result.name() + ": " + what))
                .toList();
    }

    private Map<String, Object> mode(Delivery mode) {
        Findings sum = sum(mode);
        Map<String, Object> json = sum.toJson();
        json.put(
                "aborted_records",
                of(mode).stream().mapToLong(RoundResult::aborted).sum());
        int workerKills = workerKills(mode);
        json.put("worker_kills", workerKills);
        json.put("bound_95_per_worker_kill", bound(workerKills));
        if (mode == Delivery.AT_LEAST_ONCE) {
            Map<String, Object> window = new LinkedHashMap<>();
            window.put("events", sum.windowEvents());
            window.put("ms", sum.windowMs());
            window.put(
                    "allowed_ms",
                    of(mode).stream()
                            .mapToLong(RoundResult::allowedWindowMs)
                            .max()
                            .orElse(0));
            json.put("duplicate_window", window);
        }
        return json;
    }

    private List<Map<String, Object>> perFault() {
        Map<String, List<FaultResult>> byFault = new TreeMap<>();
        for (RoundResult result : results) {
            for (FaultResult fault : result.faults()) {
                byFault.computeIfAbsent(
                                result.round().mode().text() + "/"
                                        + result.round().source().text() + "/"
                                        + fault.fault().text(),
                                key -> new ArrayList<>())
                        .add(fault);
            }
        }
        List<Map<String, Object>> rows = new ArrayList<>();
        byFault.forEach((key, those) -> rows.add(row(key.split("/", 3), those)));
        return rows;
    }

    private static Map<String, Object> row(String[] key, List<FaultResult> faults) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("mode", key[0]);
        row.put("upstream", key[1]);
        row.put("fault", key[2]);
        row.put("runs", faults.size());
        for (Oracle.Kind kind : List.of(Oracle.Kind.LOST, Oracle.Kind.DUPLICATED, Oracle.Kind.REORDERED)) {
            row.put(
                    kind.name().toLowerCase(Locale.ROOT),
                    faults.stream()
                            .mapToLong(fault -> fault.violations().getOrDefault(kind, 0L))
                            .sum());
        }
        long[] recoveries = faults.stream().mapToLong(FaultResult::recoveryMs).toArray();
        row.put("recovery_ms_p50", percentile(recoveries, 50));
        row.put("recovery_ms_p99", percentile(recoveries, 99));
        row.put(
                "restarts_over_rest",
                faults.stream().mapToInt(FaultResult::restarts).sum());
        row.put("not_reached", faults.stream().filter(fault -> !fault.reached()).count());
        return row;
    }

    private List<RoundResult> of(Delivery mode) {
        return results.stream()
                .filter(result ->
                        result.round().mode() == mode && !result.round().planted())
                .toList();
    }

    private List<HttpResult> http(Delivery mode) {
        return of(mode).stream().flatMap(result -> result.http().stream()).toList();
    }

    private List<OutboxResult> outbox(Delivery mode) {
        return of(mode).stream().flatMap(result -> result.outbox().stream()).toList();
    }

    private Findings sum(Delivery mode) {
        return of(mode).stream().map(RoundResult::findings).reduce(Findings.NONE, Findings::plus);
    }

    private List<FaultResult> faults() {
        return results.stream().flatMap(result -> result.faults().stream()).toList();
    }

    private int workerKills() {
        return faults().stream().mapToInt(FaultResult::workerKills).sum();
    }

    /** Those under which the events of the mode were checked. */
    private int workerKills(Delivery mode) {
        return of(mode).stream()
                .flatMap(result -> result.faults().stream())
                .mapToInt(FaultResult::workerKills)
                .sum();
    }

    /** The rule of three. Null where nothing was killed. */
    private static Double bound(int kills) {
        return kills == 0 ? null : 3.0 / kills;
    }

    private int brokerKills() {
        return faults().stream().mapToInt(FaultResult::brokerKills).sum();
    }

    /**
     * Without those of points that were not reached: nothing was killed, and what passed was the wait for the point.
     */
    private long[] recoveries() {
        return faults().stream()
                .filter(fault -> fault.fault().kind().killsOrFreezes() && fault.reached() && fault.recovered())
                .mapToLong(FaultResult::recoveryMs)
                .toArray();
    }

    /** The smallest value that at least this percentage does not exceed. 0 of none. */
    static long percentile(long[] values, int percent) {
        if (values.length == 0) {
            return 0;
        }
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(percent / 100.0 * sorted.length);
        return sorted[Math.max(0, rank - 1)];
    }
}
