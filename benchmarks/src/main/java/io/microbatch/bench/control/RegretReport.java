package io.microbatch.bench.control;

import io.microbatch.bench.control.RegretFigures.AtRate;
import io.microbatch.bench.control.RegretFigures.Shown;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints what {@link RegretFigures} found. Stateless. */
final class RegretReport {

    private RegretReport() {}

    static void print(AtRate rate, PrintWriter out) {
        out.printf(Locale.ROOT, "%n%,d events/s, budget %.0f ms%n", rate.perSec(), rate.budgetMs());
        out.printf("%-12s %8s %12s %9s %6s %11s%n", "T", "ms", "capacity", "p99 ms", "kept", "CPU s/M");
        List<Shown> all = new ArrayList<>(rate.fixed());
        all.add(rate.adaptive());
        for (Shown setting : all) {
            out.printf(
                    Locale.ROOT,
                    "%-12s %8.1f %,12.0f %9.1f %6s %11.1f%s%n",
                    setting.name(),
                    setting.lingerMs(),
                    setting.capacity(),
                    setting.p99Ms(),
                    setting.keeps(rate.budgetMs()) ? "yes" : "no",
                    setting.cpuSecPerMillion(),
                    setting.equals(rate.best()) ? "  best fixed" : "");
        }
        Shown best = rate.best();
        out.printf(
                Locale.ROOT,
                "adaptive / best fixed: capacity %.2f, p99 %.2f, CPU %.2f%n%n",
                rate.adaptive().capacity() / best.capacity(),
                rate.adaptive().p99Ms() / best.p99Ms(),
                rate.adaptive().cpuSecPerMillion() / best.cpuSecPerMillion());
        out.flush();
    }

    static void printProof(List<AtRate> rates, PrintWriter out) {
        out.println("Each fixed T (ms) versus the adaptive one, at the rate that suits it least (0: breaks a budget");
        out.println("that can be kept):");
        RegretFigures.worstRatios(rates)
                .forEach((name, ratio) -> out.printf(Locale.ROOT, "  %-6s %.2f%n", name, ratio));
        out.flush();
    }

    static Map<String, Object> json(int brokers, List<AtRate> rates) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("brokers", brokers);
        json.put("rates", rates.stream().map(RegretReport::json).toList());
        json.put("worst_ratio_of_fixed", RegretFigures.worstRatios(rates));
        return json;
    }

    private static Map<String, Object> json(AtRate rate) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("rate", rate.perSec());
        json.put("budget_ms", rate.budgetMs());
        json.put("adaptive", json(rate.adaptive()));
        json.put("best_fixed", json(rate.best()));
        json.put("fixed", rate.fixed().stream().map(RegretReport::json).toList());
        return json;
    }

    private static Map<String, Object> json(Shown shown) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", shown.name());
        json.put("capacity", shown.capacity());
        json.put("p99_ms", shown.p99Ms());
        json.put("linger_ms", shown.lingerMs());
        json.put("cpu_s_per_million", shown.cpuSecPerMillion());
        return json;
    }
}
