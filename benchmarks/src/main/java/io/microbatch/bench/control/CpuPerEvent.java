package io.microbatch.bench.control;

import io.microbatch.bench.Comparison;
import io.microbatch.bench.Table;
import io.microbatch.bench.load.LoadResult;
import io.microbatch.bench.load.Medians;
import io.microbatch.bench.load.ThreadClock.Part;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What an event costs at saturation: CPU of worker and broker in microseconds, the worker's also by what its threads
 * do, and the time that all cores of the machine had for it. The difference is what the reading consumer and the rest
 * of the machine used, and what was idle. Medians over the rounds. One thread.
 */
final class CpuPerEvent {

    private static final String NUMBER = "%.2f";

    private final int cores;
    private final Map<String, List<LoadResult>> results = new LinkedHashMap<>();

    /** Nothing was measured yet on a machine with this number of cores. */
    CpuPerEvent(int cores) {
        this.cores = cores;
    }

    /** A verified run that counts. One without figures of its processes is left out. */
    void add(String contender, LoadResult result) {
        if (Double.isFinite(result.workerCpuSecPerMillion())) {
            results.computeIfAbsent(contender, name -> new ArrayList<>()).add(result);
        }
    }

    /** Prints a row for each contender, and answers the medians by contender, in microseconds for an event. */
    Map<String, Object> report(PrintWriter out) {
        Table table = new Table()
                .text(31, "CPU per event, us", "name")
                .number(8, "cores", "cores", NUMBER)
                .number(8, "broker", "broker", NUMBER)
                .number(8, "worker", "worker", NUMBER);
        for (Part part : Part.values()) {
            table.number(11, Comparison.key(part), Comparison.key(part), NUMBER);
        }
        out.println(table.header());
        Map<String, Object> json = new LinkedHashMap<>();
        results.forEach((contender, runs) -> {
            Map<String, Object> figures = figures(runs);
            json.put(contender, figures);
            Map<String, Object> row = new LinkedHashMap<>(figures);
            row.put("name", contender);
            out.println(table.row(row));
        });
        out.println();
        out.flush();
        return json;
    }

    /** A CPU second for a million events is a microsecond for one. */
    private Map<String, Object> figures(List<LoadResult> runs) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("cores", median(runs, run -> cores * 1e6 / run.perSec()));
        figures.put("broker", median(runs, LoadResult::brokerCpuSecPerMillion));
        figures.put("worker", median(runs, LoadResult::workerCpuSecPerMillion));
        for (Part part : Part.values()) {
            figures.put(
                    Comparison.key(part),
                    median(runs, run -> run.workerCpuSecPerMillionByPart().getOrDefault(part, 0.0)));
        }
        return figures;
    }

    private static double median(List<LoadResult> runs, ToDoubleFunction<LoadResult> figure) {
        return Math.round(Medians.of(runs.stream().map(figure::applyAsDouble).toList()) * 1_000) / 1_000.0;
    }
}
