package io.microbatch.bench.calibrate;

import io.microbatch.bench.Table;
import io.microbatch.bench.load.LoadResult;
import io.microbatch.connect.pressure.PressureLevel;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What became of an offer. Immutable.
 *
 * @param round from 1 on
 * @param offer the rate
 * @param verified whether every event came once and in order
 * @param carriedPerSec events per second that came
 * @param windows observation windows of the task
 * @param windowsOfLevel those in which the task was in the level
 * @param figures of writing, for the result
 */
record LevelResult(
        int round,
        LevelOffer offer,
        boolean verified,
        double carriedPerSec,
        int windows,
        long windowsOfLevel,
        Map<String, Double> figures) {

    static LevelResult of(int round, LevelOffer offer, LoadResult result) {
        int number = offer.level().number();
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("mb_per_s", result.mbPerSec(result.perSec()));
        // A rate that is not carried has no latency: it would say how long the run was.
        if (result.carried(offer.perSec())) {
            figures.put("p50_ms", result.p(50));
            figures.put("p95_ms", result.p(95));
            figures.put("p99_ms", result.p(99));
        }
        return new LevelResult(
                round,
                offer,
                result.isVerified(),
                result.perSec(),
                result.windows().all().size(),
                result.windows().all().stream()
                        .filter(window -> window.level() == number)
                        .count(),
                figures);
    }

    /** In words, as a result has it. */
    String outcome() {
        PressureLevel level = offer.level();
        if (!verified) {
            return "not verified";
        }
        if (carriedPerSec < level.lowerBoundPerSec()) {
            return "not carried by this machine";
        }
        return windowsOfLevel == 0 ? "no window of this level" : "learned";
    }

    static Table table() {
        return new Table()
                .number(5, "round", "round", "%.0f")
                .text(2, "", "gap")
                .text(16, "level", "level")
                .number(12, "offered/s", "rate", "%,.0f")
                .number(12, "carried/s", "achieved_per_s", "%,.0f")
                .number(8, "MB/s", "mb_per_s", "%.1f")
                .number(9, "p50 ms", "p50_ms", "%.1f")
                .number(9, "p95 ms", "p95_ms", "%.1f")
                .number(9, "p99 ms", "p99_ms", "%.1f")
                .number(9, "windows", "windows_of_level", "%.0f")
                .text(2, "", "gap")
                .text(30, "outcome", "outcome");
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("round", round);
        json.put("level", offer.level().name());
        json.put("rate", offer.perSec());
        json.put("from_per_s", offer.level().lowerBoundPerSec());
        json.put("achieved_per_s", carriedPerSec);
        json.putAll(figures);
        json.put("windows", windows);
        json.put("windows_of_level", windowsOfLevel);
        json.put("outcome", outcome());
        return json;
    }

    /** A line of {@link #table}. */
    Map<String, Object> row() {
        Map<String, Object> row = new LinkedHashMap<>(json());
        row.put("gap", "");
        return row;
    }
}
