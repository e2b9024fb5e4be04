package io.microbatch.bench.cdc;

import io.microbatch.bench.Comparison;
import io.microbatch.bench.load.Medians;
import io.microbatch.bench.load.Percentiles;
import io.microbatch.bench.load.ThreadClock;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * What one run of a contender showed, or the medians of several. Latencies are from a row's commit to a read_committed
 * consumer, in milliseconds.
 *
 * @param at50 latency at 50 rows/s
 * @param at1000 latency at 1,000 rows/s
 * @param at5000 latency at 5,000 rows/s; not numbers if that was not measured
 * @param lateMs how late the rows of each rate were written
 * @param backlogPerSec rows per second of a backlog, of those that Kafka got after the first one had come
 * @param backlogCpu CPU seconds per million rows of the backlog, the start of the task among them
 * @param cpu1000 the same at 1,000 rows/s
 * @param cpu5000 the same at 5,000 rows/s; not numbers if that was not measured
 * @param cpuMicrosByPart that of the backlog by what the worker's threads do, in microseconds a row
 */
record CdcFigures(
        Percentiles at50,
        Percentiles at1000,
        Percentiles at5000,
        LateMs lateMs,
        double backlogPerSec,
        Cpu backlogCpu,
        Cpu cpu1000,
        Cpu cpu5000,
        Map<ThreadClock.Part, Double> cpuMicrosByPart) {

    /** CPU time of the processes of worker and broker, in seconds. */
    record Cpu(double worker, double broker) {

        double total() {
            return worker + broker;
        }

        Cpu since(Cpu before) {
            return new Cpu(worker - before.worker, broker - before.broker);
        }

        Cpu perMillion(int rows) {
            return new Cpu(worker * 1e6 / rows, broker * 1e6 / rows);
        }

        private static Cpu median(List<CdcFigures> runs, Function<CdcFigures, Cpu> of) {
            return new Cpu(
                    Medians.of(measured(runs, run -> of.apply(run).worker)),
                    Medians.of(measured(runs, run -> of.apply(run).broker)));
        }
    }

    /**
     * How late the last transactions of a rate began, in milliseconds. A latency begins with the commit, so that late
     * rows make it no longer: the rate was another one.
     *
     * @param at5000 not a number if that was not measured
     */
    record LateMs(double at50, double at1000, double at5000) {

        private static LateMs median(List<CdcFigures> runs) {
            return new LateMs(
                    Medians.of(measured(runs, run -> run.lateMs.at50)),
                    Medians.of(measured(runs, run -> run.lateMs.at1000)),
                    Medians.of(measured(runs, run -> run.lateMs.at5000)));
        }
    }

    private static final Map<String, ToDoubleFunction<CdcFigures>> BY_KEY = new LinkedHashMap<>();

    static {
        BY_KEY.put("p50_ms_50", run -> run.at50().p50Ms());
        BY_KEY.put("p95_ms_50", run -> run.at50().p95Ms());
        BY_KEY.put("p99_ms_50", CdcFigures::p99Ms50);
        BY_KEY.put("p50_ms_1000", run -> run.at1000().p50Ms());
        BY_KEY.put("p95_ms_1000", run -> run.at1000().p95Ms());
        BY_KEY.put("p99_ms_1000", CdcFigures::p99Ms1000);
        BY_KEY.put("p50_ms_5000", run -> run.at5000().p50Ms());
        BY_KEY.put("p95_ms_5000", run -> run.at5000().p95Ms());
        BY_KEY.put("p99_ms_5000", CdcFigures::p99Ms5000);
        BY_KEY.put("late_ms_50", run -> run.lateMs().at50());
        BY_KEY.put("late_ms_1000", run -> run.lateMs().at1000());
        BY_KEY.put("late_ms_5000", run -> run.lateMs().at5000());
        BY_KEY.put("backlog_per_s", CdcFigures::backlogPerSec);
        BY_KEY.put("cpu_s_per_million", run -> run.backlogCpu().total());
        BY_KEY.put("cpu_worker_s_per_million", run -> run.backlogCpu().worker());
        BY_KEY.put("cpu_broker_s_per_million", run -> run.backlogCpu().broker());
        BY_KEY.put("cpu_s_per_million_1000", run -> run.cpu1000().total());
        BY_KEY.put("cpu_worker_s_per_million_1000", run -> run.cpu1000().worker());
        BY_KEY.put("cpu_broker_s_per_million_1000", run -> run.cpu1000().broker());
        BY_KEY.put("cpu_s_per_million_5000", run -> run.cpu5000().total());
    }

    /** Each figure the median of the runs that have it. CPU is the median of the worker plus that of the broker. */
    static CdcFigures median(List<CdcFigures> runs) {
        Map<ThreadClock.Part, Double> byPart = new EnumMap<>(ThreadClock.Part.class);
        for (ThreadClock.Part part : ThreadClock.Part.values()) {
            byPart.put(
                    part, Medians.of(measured(runs, run -> run.cpuMicrosByPart().getOrDefault(part, 0.0))));
        }
        return new CdcFigures(
                median(runs, CdcFigures::at50),
                median(runs, CdcFigures::at1000),
                median(runs, CdcFigures::at5000),
                LateMs.median(runs),
                Medians.of(measured(runs, CdcFigures::backlogPerSec)),
                Cpu.median(runs, CdcFigures::backlogCpu),
                Cpu.median(runs, CdcFigures::cpu1000),
                Cpu.median(runs, CdcFigures::cpu5000),
                byPart);
    }

    private static Percentiles median(List<CdcFigures> runs, Function<CdcFigures, Percentiles> of) {
        return new Percentiles(
                Medians.of(measured(runs, run -> of.apply(run).p50Ms())),
                Medians.of(measured(runs, run -> of.apply(run).p95Ms())),
                Medians.of(measured(runs, run -> of.apply(run).p99Ms())));
    }

    double p99Ms50() {
        return at50.p99Ms();
    }

    double p99Ms1000() {
        return at1000.p99Ms();
    }

    double p99Ms5000() {
        return at5000.p99Ms();
    }

    /** The smallest and the largest of each figure, for figures that some run has. */
    static Map<String, Object> spread(List<CdcFigures> runs) {
        Map<String, Object> spread = new LinkedHashMap<>();
        BY_KEY.forEach((key, figure) -> {
            List<Double> values = measured(runs, figure);
            if (!values.isEmpty()) {
                spread.put(key, List.of(Collections.min(values), Collections.max(values)));
            }
        });
        return spread;
    }

    private static List<Double> measured(List<CdcFigures> runs, ToDoubleFunction<CdcFigures> figure) {
        return runs.stream().map(figure::applyAsDouble).filter(Double::isFinite).toList();
    }

    /** As a result has them. Null for what was not measured. */
    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        BY_KEY.forEach((key, figure) -> json.put(key, orNull(figure.applyAsDouble(this))));
        Map<String, Object> byPart = new LinkedHashMap<>();
        for (ThreadClock.Part part : ThreadClock.Part.values()) {
            byPart.put(Comparison.key(part), cpuMicrosByPart.getOrDefault(part, 0.0));
        }
        json.put("cpu_us_per_row", byPart);
        return json;
    }

    static Double orNull(double value) {
        return Double.isFinite(value) ? (Double) value : null;
    }
}
