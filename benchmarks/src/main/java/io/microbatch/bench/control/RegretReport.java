package io.microbatch.bench.control;

import io.microbatch.bench.Table;
import io.microbatch.bench.control.RegretFigures.AtRate;
import io.microbatch.bench.control.RegretFigures.Lens;
import io.microbatch.bench.control.RegretFigures.Shown;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints what {@link RegretFigures} found. Stateless. */
final class RegretReport {

    private static final Table TABLE = new Table()
            .text(24, "T", "name")
            .number(10, "CPU s/M", "cpu_s_per_million", "%,.1f")
            .number(9, "e2e p99", "p99_end_to_end_ms", "%,.1f")
            .number(9, "e2e p50", "p50_end_to_end_ms", "%,.1f")
            .number(9, "ack p99", "p99_ms", "%,.1f")
            .number(6, "kept", "kept", "%s")
            .number(9, "T applied", "linger_ms", "%,.1f")
            .number(12, "capacity", "capacity", "%,.0f")
            .text(26, "", "mark");

    private RegretReport() {}

    static void print(AtRate rate, PrintWriter out) {
        out.printf(Locale.ROOT, "%n%,d events/s, budget %.0f ms%n", rate.perSec(), rate.budgetMs());
        out.println(TABLE.header());
        List<Shown> all = new ArrayList<>(rate.fixed());
        all.addAll(rate.intervals());
        all.add(rate.adaptive());
        for (Shown setting : all) {
            Map<String, Object> row = json(setting);
            row.put("kept", kept(setting, rate));
            row.put(
                    "mark",
                    (setting.reached() ? "" : "  carried " + carried(setting))
                            + (setting.equals(rate.cheapest()) ? "  least CPU" : "")
                            + (setting.equals(rate.bestFixed()) ? "  most capacity" : ""));
            out.println(TABLE.row(row).stripTrailing());
        }
        rate.notCarried().forEach(name -> out.println(name + " does not carry this rate"));
        Shown ours = rate.adaptive();
        Shown cheapest = rate.cheapest();
        Shown best = rate.bestFixed();
        out.printf(
                Locale.ROOT,
                "adaptive / %s: CPU %.2f, end-to-end p99 %.2f%n",
                cheapest.name(),
                ours.cpuSecPerMillion() / cheapest.cpuSecPerMillion(),
                ours.endToEndP99Ms() / cheapest.endToEndP99Ms());
        out.printf(
                Locale.ROOT,
                "adaptive / fixed %s: capacity %.2f, ack p99 %.2f, CPU %.2f%n%n",
                best.name(),
                ours.capacity() / best.capacity(),
                ours.p99Ms() / best.p99Ms(),
                ours.cpuSecPerMillion() / best.cpuSecPerMillion());
        out.flush();
    }

    /** Events per second of a setting that did not reach the rate. */
    private static String carried(Shown setting) {
        return setting.rounds().get("per_s") instanceof Double perSec
                ? String.format(Locale.ROOT, "%,.0f/s", perSec)
                : "no round verified";
    }

    /** By the time from arrival to acknowledgement where it is known, end to end for another connector. */
    private static String kept(Shown setting, AtRate rate) {
        if (!setting.reached()) {
            return "-";
        }
        Lens lens = Double.isFinite(setting.p99Ms()) ? Lens.CAPACITY : Lens.CPU;
        return lens.keeps(setting, rate.budgetMs()) ? "yes" : "no";
    }

    static void printProof(List<AtRate> rates, PrintWriter out) {
        out.println("Each setting versus the adaptive one, at the rate that suits it least (0: breaks a budget that");
        out.println("can be kept, or does not carry the rate). First by CPU per event and end-to-end p99:");
        print(RegretFigures.worstRatios(rates, Lens.CPU), out);
        out.println("Fixed T (ms) by capacity and the p99 from arrival to acknowledgement:");
        print(RegretFigures.worstRatios(rates, Lens.CAPACITY), out);
        out.flush();
    }

    private static void print(Map<String, Double> ratios, PrintWriter out) {
        ratios.forEach((name, ratio) -> out.printf(Locale.ROOT, "  %-24s %.2f%n", name, ratio));
    }

    static Map<String, Object> json(int brokers, List<AtRate> rates) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("brokers", brokers);
        json.put("rates", rates.stream().map(RegretReport::json).toList());
        json.put("worst_cpu_ratio", RegretFigures.worstRatios(rates, Lens.CPU));
        json.put("worst_ratio_of_fixed", RegretFigures.worstRatios(rates, Lens.CAPACITY));
        return json;
    }

    private static Map<String, Object> json(AtRate rate) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("rate", rate.perSec());
        json.put("budget_ms", rate.budgetMs());
        json.put("adaptive", json(rate.adaptive()));
        json.put("cheapest", rate.cheapest().name());
        json.put(
                "cpu_ratio_to_cheapest",
                rate.adaptive().cpuSecPerMillion() / rate.cheapest().cpuSecPerMillion());
        json.put(
                "p99_ratio_to_cheapest",
                rate.adaptive().endToEndP99Ms() / rate.cheapest().endToEndP99Ms());
        json.put("best_fixed", json(rate.bestFixed()));
        json.put("fixed", rate.fixed().stream().map(RegretReport::json).toList());
        json.put("interval", rate.intervals().stream().map(RegretReport::json).toList());
        json.put("not_carried", rate.notCarried());
        return json;
    }

    private static Map<String, Object> json(Shown shown) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", shown.name());
        json.put("reached", shown.reached());
        json.putAll(shown.rounds());
        return json;
    }
}
