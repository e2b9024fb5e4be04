package io.microbatch.bench.frontier;

import io.microbatch.bench.Table;
import io.microbatch.bench.frontier.AtRate.Dominated;
import io.microbatch.bench.frontier.AtRate.Target;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints what was measured at each rate, and makes the JSON of it. Stateless. */
final class FrontierReport {

    private static final String MS = "%,.1f";
    private static final String WHOLE = "%,.0f";

    private static final Table CONTENDERS = new Table()
            .text(20, "contender", "name")
            .number(9, "p50 ms", "p50_ms", MS)
            .number(9, "p99 ms", "p99_ms", MS)
            .number(9, "min", "p99_min", MS)
            .number(9, "max", "p99_max", MS)
            .number(9, "p99.9 ms", "p999_ms", MS)
            .number(10, "CPU s/M", "cpu_s_per_million", MS)
            .number(10, "worker", "cpu_worker_s_per_million", MS)
            .number(10, "broker", "cpu_broker_s_per_million", MS)
            .number(9, "tx/s", "tps", MS)
            .number(10, "events/s", "per_s", WHOLE)
            .number(10, "events", "events", WHOLE)
            .text(1, "", "remark");

    private static final Table DOMINATED = new Table()
            .text(24, "dominated", "ours")
            .text(22, "by", "stock")
            .number(12, "p99 ms", "p99_ms", MS)
            .number(12, "stock", "stock_p99_ms", MS)
            .number(12, "CPU s/M", "cpu_s_per_million", MS)
            .number(12, "stock", "stock_cpu_s_per_million", MS);

    private static final Table TARGETS = new Table()
            .text(24, "target", "ours")
            .number(9, "p99 ms", "p99_ms", MS)
            .text(6, "  kept", "kept_text")
            .number(12, "CPU ratio", "cpu_ratio", "%.2f")
            .text(2, "", "gap")
            .text(22, "to", "cheapest")
            .number(9, "tx/s", "tps", MS)
            .number(22, "tx/s of interval-100", "tps_of_interval_100", MS);

    private FrontierReport() {}

    /** All tables of a rate. */
    static void print(AtRate rate, PrintWriter out) {
        out.printf(Locale.ROOT, "%n%,d events/s%n%s%n", rate.perSec(), CONTENDERS.header());
        rate.standings().forEach(each -> out.println(CONTENDERS.row(row(each))));
        List<Dominated> dominated = rate.dominated();
        out.println();
        if (dominated.isEmpty()) {
            out.println("dominated: none");
        } else {
            out.println(DOMINATED.header());
            dominated.forEach(each -> out.println(DOMINATED.row(json(rate, each))));
        }
        List<Target> targets = rate.targets();
        if (!targets.isEmpty()) {
            out.println();
            out.println(TARGETS.header());
            targets.forEach(each -> out.println(TARGETS.row(row(rate, each))));
        }
        out.println();
        out.flush();
    }

    private static Map<String, Object> row(Standing standing) {
        Map<String, Object> row = new LinkedHashMap<>(json(standing));
        row.put("name", standing.contender().name());
        List<Double> p99 = standing.spread(Turn::p99Ms);
        if (!p99.isEmpty()) {
            row.put("p99_min", p99.get(0));
            row.put("p99_max", p99.get(1));
        }
        row.put("remark", remark(standing));
        return row;
    }

    private static String remark(Standing standing) {
        if (standing.turns().stream().anyMatch(turn -> !turn.verified())) {
            return "  NOT VERIFIED";
        }
        long carried = standing.turns().stream().filter(Turn::carried).count();
        String cut = standing.turns().stream().anyMatch(Turn::cut) ? ", cut at the time limit" : "";
        if (!standing.carried()) {
            return "  does not carry the rate" + cut;
        }
        return carried == standing.turns().size()
                ? ""
                : "  carried in " + carried + " of " + standing.turns().size() + " rounds" + cut;
    }

    private static Map<String, Object> row(AtRate rate, Target target) {
        Map<String, Object> row = new LinkedHashMap<>(json(rate, target));
        row.put("kept_text", target.isKept() ? "   yes" : "    no");
        row.put("gap", "");
        return row;
    }

    /** {@code rates}, {@code dominated} and {@code targets} of these rates. */
    static Map<String, Object> json(List<AtRate> rates) {
        Map<String, Object> json = new LinkedHashMap<>();
        List<Object> dominated = new ArrayList<>();
        List<Object> targets = new ArrayList<>();
        for (AtRate rate : rates) {
            rate.dominated().forEach(each -> dominated.add(json(rate, each)));
            rate.targets().forEach(each -> targets.add(json(rate, each)));
        }
        json.put("rates", rates.stream().map(FrontierReport::json).toList());
        json.put("dominated", dominated);
        json.put("targets", targets);
        return json;
    }

    private static Map<String, Object> json(AtRate rate) {
        Map<String, Object> contenders = new LinkedHashMap<>();
        rate.standings().forEach(each -> contenders.put(each.contender().name(), json(each)));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("rate", rate.perSec());
        json.put("contenders", contenders);
        return json;
    }

    private static Map<String, Object> json(Standing standing) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("stock", standing.contender().isStock());
        json.put("p50_ms", number(standing.p50Ms()));
        json.put("p95_ms", number(standing.p95Ms()));
        json.put("p99_ms", number(standing.p99Ms()));
        json.put("p999_ms", number(standing.p999Ms()));
        json.put("cpu_worker_s_per_million", number(standing.median(Turn::workerCpu)));
        json.put("cpu_broker_s_per_million", number(standing.median(Turn::brokerCpu)));
        json.put("cpu_s_per_million", number(standing.cpu()));
        json.put("tps", number(standing.tps()));
        json.put("per_s", number(standing.perSec()));
        json.put("events", standing.events());
        json.put("carried", standing.carried());
        json.put(
                "carried_rounds",
                standing.turns().stream().filter(Turn::carried).count());
        Map<String, Object> spread = new LinkedHashMap<>();
        spread.put("p99_ms", standing.spread(Turn::p99Ms));
        spread.put("cpu", standing.spread(Turn::cpu));
        json.put("spread", spread);
        json.put("rounds", standing.turns().stream().map(FrontierReport::json).toList());
        return json;
    }

    private static Map<String, Object> json(Turn turn) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("verified", turn.verified());
        json.put("carried", turn.carried());
        json.put("cut", turn.cut());
        json.put("per_s", number(turn.perSec()));
        json.put("p50_ms", number(turn.p50Ms()));
        json.put("p95_ms", number(turn.p95Ms()));
        json.put("p99_ms", number(turn.p99Ms()));
        json.put("p999_ms", number(turn.p999Ms()));
        json.put("cpu_worker_s_per_million", number(turn.workerCpu()));
        json.put("cpu_broker_s_per_million", number(turn.brokerCpu()));
        json.put("tps", number(turn.tps()));
        json.put("events", turn.events());
        return json;
    }

    private static Map<String, Object> json(AtRate rate, Dominated dominated) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("rate", rate.perSec());
        json.put("ours", dominated.ours().contender().name());
        json.put("stock", dominated.stock().contender().name());
        json.put("carried", dominated.ours().carried());
        json.put("p99_ms", number(dominated.ours().p99Ms()));
        json.put("stock_p99_ms", number(dominated.stock().p99Ms()));
        json.put("cpu_s_per_million", number(dominated.ours().cpu()));
        json.put("stock_cpu_s_per_million", number(dominated.stock().cpu()));
        return json;
    }

    private static Map<String, Object> json(AtRate rate, Target target) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("rate", rate.perSec());
        json.put("ours", target.ours().contender().name());
        json.put("target_ms", target.targetMs());
        json.put("p99_ms", number(target.ours().p99Ms()));
        json.put("kept", target.isKept());
        json.put("cpu_ratio", number(target.cpuRatio()));
        json.put(
                "cheapest",
                target.cheapest().map(each -> each.contender().name()).orElse(null));
        json.put("tps", number(target.ours().tps()));
        json.put("tps_of_interval_100", number(target.tpsOfInterval100()));
        return json;
    }

    /** JSON has no NaN. */
    private static Double number(double value) {
        return Double.isFinite(value) ? (Double) value : null;
    }
}
