package io.microbatch.bench.control;

import io.microbatch.bench.Rounds;
import io.microbatch.bench.load.Settings;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Compares the adaptive setting with others at one rate and over all of them. Pure. */
final class RegretFigures {

    private static final double NEAR = 1.2;

    private RegretFigures() {}

    /**
     * What a setting showed at a rate, medians over the rounds.
     *
     * @param name what the setting is called; a fixed one by its T in milliseconds
     * @param reached whether it carried the rate: where not, its latency says how long the run was
     * @param lingerMs T as applied; not a number for another connector
     * @param capacity events per busy second; not a number for another connector
     * @param p99Ms arrival to acknowledgement; not a number for another connector
     * @param endToEndP50Ms from when an event was due to the consumer's having it
     * @param endToEndP99Ms the same, 99th percentile
     * @param cpuSecPerMillion of worker and broker together
     * @param rounds each round's figures
     */
    record Shown(
            String name,
            boolean reached,
            double lingerMs,
            double capacity,
            double p99Ms,
            double endToEndP50Ms,
            double endToEndP99Ms,
            double cpuSecPerMillion,
            Map<String, Object> rounds) {

        static Shown of(String name, boolean reached, Rounds rounds) {
            return new Shown(
                    name,
                    reached,
                    rounds.median("linger_ms"),
                    rounds.median("capacity"),
                    rounds.median("p99_ms"),
                    rounds.median("p50_end_to_end_ms"),
                    rounds.median("p99_end_to_end_ms"),
                    rounds.median("cpu_s_per_million"),
                    rounds.json());
        }
    }

    /** By what settings are compared. */
    enum Lens {
        /** CPU per event and end-to-end latency, which every connector has. */
        CPU(Shown::endToEndP99Ms, setting -> -setting.cpuSecPerMillion()),
        /** Events per busy second, and from arrival to acknowledgement, which is what a budget limits. */
        CAPACITY(Shown::p99Ms, Shown::capacity);

        private final ToDoubleFunction<Shown> latency;
        private final ToDoubleFunction<Shown> worth;

        Lens(ToDoubleFunction<Shown> latency, ToDoubleFunction<Shown> worth) {
            this.latency = latency;
            this.worth = worth;
        }

        double latency(Shown setting) {
            return latency.applyAsDouble(setting);
        }

        /** Not where the rate was not reached, and not without the latency. */
        boolean keeps(Shown setting, double budgetMs) {
            return setting.reached() && latency(setting) <= budgetMs;
        }

        double gain(Shown setting, Shown reference) {
            return this == CPU
                    ? reference.cpuSecPerMillion() / setting.cpuSecPerMillion()
                    : setting.capacity() / reference.capacity();
        }

        /** The one that is worth most of those that keep the budget. If none does, the one with the lowest latency. */
        Shown best(Stream<Shown> settings, double budgetMs) {
            List<Shown> all = settings.toList();
            return all.stream()
                    .filter(setting -> keeps(setting, budgetMs))
                    .max(Comparator.comparingDouble(worth))
                    .orElseGet(() -> all.stream()
                            .min(Comparator.comparingDouble(
                                    setting -> setting.reached() ? latency(setting) : Double.MAX_VALUE))
                            .orElseThrow());
        }
    }

    /**
     * A rate.
     *
     * @param perSec the rate
     * @param budgetMs the latency budget of its level
     * @param fixed this connector with one T and N
     * @param intervals other connectors with transactions by the clock
     * @param notCarried those of them that cannot carry the rate and were not measured at it
     */
    record AtRate(
            int perSec,
            double budgetMs,
            Shown adaptive,
            List<Shown> fixed,
            List<Shown> intervals,
            List<String> notCarried) {

        /** The fixed setting with the most capacity of those that keep the budget. If none does, the nearest to it. */
        Shown bestFixed() {
            return Lens.CAPACITY.best(fixed.stream(), budgetMs);
        }

        /** Of all settings but the adaptive one, the one with the least CPU whose end-to-end p99 keeps the budget. */
        Shown cheapest() {
            return Lens.CPU.best(rivals(), budgetMs);
        }

        private Stream<Shown> rivals() {
            return Stream.concat(fixed.stream(), intervals.stream());
        }

        /** Whether any setting keeps the budget, so that one that breaks it need not. */
        boolean canBeKept(Lens lens) {
            return Stream.concat(Stream.of(adaptive), rivals()).anyMatch(setting -> lens.keeps(setting, budgetMs));
        }

        /**
         * How good a setting is versus the adaptive one, over 1 for better: what the lens compares where the budget can
         * be kept, and 0 for a setting that breaks it then. Latencies where nobody can keep it.
         */
        double ratio(Shown setting, Lens lens) {
            if (!canBeKept(lens)) {
                return setting.reached() ? lens.latency(adaptive) / lens.latency(setting) : 0;
            }
            return lens.keeps(setting, budgetMs) ? lens.gain(setting, adaptive) : 0;
        }

        /**
         * The same of a setting by its name. A T that was not measured here is longer than the longest one that was.
         * Its events wait for it, so that it breaks a shorter budget. Or a batch ends at N before it, and it is as the
         * longest one. Another setting that was not measured does not carry the rate.
         */
        private double ratioOf(String name, Lens lens) {
            Optional<Shown> measured =
                    rivals().filter(setting -> setting.name().equals(name)).findFirst();
            if (measured.isPresent() || !isNumber(name)) {
                return measured.map(setting -> ratio(setting, lens)).orElse(0.0);
            }
            double lingerMs = Double.parseDouble(name);
            if (lingerMs > budgetMs) {
                return canBeKept(lens) ? 0 : lens.latency(adaptive) / lingerMs;
            }
            return fixed.stream()
                    .filter(setting -> isNumber(setting.name()))
                    .max(Comparator.comparingDouble(setting -> Double.parseDouble(setting.name())))
                    .map(longest -> ratio(longest, lens))
                    .orElse(0.0);
        }
    }

    /**
     * Those of a grid of lingers that are worth a run at a rate: not much longer than the budget, and not much longer
     * than a batch takes to hold N events.
     */
    static List<Integer> lingersMs(List<Integer> gridMs, int perSec, double budgetMs) {
        double fullAfterMs = Settings.FIXED_EVENTS * 1_000.0 / perSec;
        double longestMs = NEAR * Math.min(budgetMs, fullAfterMs);
        return gridMs.stream().filter(ms -> ms <= longestMs).toList();
    }

    /** Whether it is a fixed setting, which is called by its T. */
    static boolean isNumber(String name) {
        return Character.isDigit(name.charAt(0));
    }

    /** For each setting its worst ratio to the adaptive one over all rates, by capacity for fixed ones only. */
    static Map<String, Double> worstRatios(List<AtRate> rates, Lens lens) {
        Map<String, Double> worst = new LinkedHashMap<>();
        rates.stream()
                .flatMap(AtRate::rivals)
                .filter(setting -> lens == Lens.CPU || Double.isFinite(setting.capacity()))
                .map(Shown::name)
                .distinct()
                .forEach(name -> worst.put(
                        name,
                        rates.stream()
                                .mapToDouble(rate -> rate.ratioOf(name, lens))
                                .min()
                                .orElseThrow()));
        return worst;
    }
}
