package io.microbatch.bench.cdc;

import io.microbatch.bench.Comparison;
import io.microbatch.bench.load.Medians;
import io.microbatch.bench.load.ThreadClock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What one run of a contender showed. Latencies are from a row's commit to a read_committed consumer, in milliseconds.
 *
 * @param p50Ms50 median at 50 rows/s
 * @param p99Ms50 99th percentile at 50 rows/s
 * @param p50Ms1000 median at 1,000 rows/s
 * @param p99Ms1000 99th percentile at 1,000 rows/s
 * @param p99MsHalf 99th percentile at half of the backlog rate; not a number if that was not measured
 * @param backlogPerSec rows per second from the first to the last of a backlog
 * @param cpuSecPerMillion CPU seconds of the worker per million rows of the backlog, the start of the task among them
 * @param cpuSecPerMillion1000 the same at 1,000 rows/s
 * @param cpuMicrosByPart that of the backlog by what the worker's threads do, in microseconds a row
 */
record CdcFigures(
        double p50Ms50,
        double p99Ms50,
        double p50Ms1000,
        double p99Ms1000,
        double p99MsHalf,
        double backlogPerSec,
        double cpuSecPerMillion,
        double cpuSecPerMillion1000,
        Map<ThreadClock.Part, Double> cpuMicrosByPart) {

    /** As JSON, each figure the median of the runs. */
    static Map<String, Object> median(List<CdcFigures> runs) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("p50_ms_50", median(runs, CdcFigures::p50Ms50));
        json.put("p99_ms_50", median(runs, CdcFigures::p99Ms50));
        json.put("p50_ms_1000", median(runs, CdcFigures::p50Ms1000));
        json.put("p99_ms_1000", median(runs, CdcFigures::p99Ms1000));
        json.put("p99_ms_half", median(runs, CdcFigures::p99MsHalf));
        json.put("backlog_per_s", median(runs, CdcFigures::backlogPerSec));
        json.put("cpu_s_per_million", median(runs, CdcFigures::cpuSecPerMillion));
        json.put("cpu_s_per_million_1000", median(runs, CdcFigures::cpuSecPerMillion1000));
        Map<String, Object> byPart = new LinkedHashMap<>();
        for (ThreadClock.Part part : ThreadClock.Part.values()) {
            byPart.put(
                    Comparison.key(part),
                    median(runs, run -> run.cpuMicrosByPart().getOrDefault(part, 0.0)));
        }
        json.put("cpu_us_per_row", byPart);
        json.put("runs", runs.size());
        return json;
    }

    private static Double median(List<CdcFigures> runs, ToDoubleFunction<CdcFigures> figure) {
        double median = Medians.of(runs.stream()
                .map(figure::applyAsDouble)
                .filter(Double::isFinite)
                .toList());
        return Double.isFinite(median) ? (Double) median : null;
    }
}
