package io.microbatch.bench.control;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Compares the adaptive setting with fixed ones at one rate and over all of them. Pure. */
final class RegretFigures {

    private RegretFigures() {}

    /**
     * What a setting showed at a rate.
     *
     * @param name what the setting is called
     * @param lingerMs T
     * @param capacity events per busy second
     * @param p99Ms arrival to acknowledgement
     * @param cpuSecPerMillion of worker and broker together
     */
    record Shown(String name, double lingerMs, double capacity, double p99Ms, double cpuSecPerMillion) {
        boolean keeps(double budgetMs) {
            return p99Ms <= budgetMs;
        }
    }

    /**
     * A rate.
     *
     * @param perSec the rate
     * @param budgetMs the latency budget of its level
     */
    record AtRate(int perSec, double budgetMs, Shown adaptive, List<Shown> fixed) {

        /** The fixed setting with the most capacity of those that keep the budget. If none does, the nearest to it. */
        Shown best() {
            return fixed.stream()
                    .filter(setting -> setting.keeps(budgetMs))
                    .max(Comparator.comparingDouble(Shown::capacity))
                    .orElseGet(this::nearest);
        }

        Shown nearest() {
            return fixed.stream().min(Comparator.comparingDouble(Shown::p99Ms)).orElseThrow();
        }

        boolean isKeptByAFixed() {
            return fixed.stream().anyMatch(setting -> setting.keeps(budgetMs));
        }

        /**
         * How good a setting is versus the adaptive one: capacities where the budget can be kept, and 0 for a setting
         * that breaks it although it can be. Latencies, the other way round, where it cannot.
         */
        double ratio(Shown setting) {
            if (!isKeptByAFixed() && !adaptive.keeps(budgetMs)) {
                return adaptive.p99Ms() / setting.p99Ms();
            }
            return setting.keeps(budgetMs) ? setting.capacity() / adaptive.capacity() : 0;
        }
    }

    /** For each fixed setting its worst ratio to the adaptive one over all rates. */
    static Map<String, Double> worstRatios(List<AtRate> rates) {
        Map<String, Double> worst = new LinkedHashMap<>();
        for (AtRate rate : rates) {
            for (Shown setting : rate.fixed()) {
                worst.merge(setting.name(), rate.ratio(setting), Math::min);
            }
        }
        return worst;
    }
}
