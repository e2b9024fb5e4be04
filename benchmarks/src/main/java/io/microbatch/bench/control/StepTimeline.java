package io.microbatch.bench.control;

import io.microbatch.bench.load.ControlSampler.Sample;
import io.microbatch.bench.load.Timeline;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/** What the controller did and what the latency was, over the time since the first event was due. Pure. */
final class StepTimeline {

    private StepTimeline() {}

    /** Columns of equal length for the samples, and two for the slices in which events were due. */
    static Map<String, Object> of(List<Sample> samples, Timeline latencies) {
        long beganMs = latencies.firstEpochMs();
        long endMs = beganMs + latencies.size() * Timeline.SLICE_MS;
        List<Sample> inside = samples.stream()
                .filter(sample -> sample.epochMs() >= beganMs && sample.epochMs() <= endMs)
                .toList();
        List<Integer> slices = IntStream.range(0, latencies.size())
                .filter(slice -> latencies.p99Ms(slice) > 0)
                .boxed()
                .toList();
        Map<String, Object> columns = new LinkedHashMap<>();
        columns.put("at_s", column(inside, sample -> (sample.epochMs() - beganMs) / 1_000.0));
        columns.put("arrivals", column(inside, sample -> Math.round(sample.arrivalsPerSec() * 10) / 10.0));
        columns.put("level", column(inside, Sample::level));
        columns.put("batch_target_events", column(inside, Sample::batchTargetEvents));
        columns.put("linger_ms", column(inside, Sample::lingerMs));
        columns.put("budget_ms", column(inside, Sample::budgetMs));
        columns.put("latency_at_s", column(slices, slice -> slice * Timeline.SLICE_MS / 1_000.0));
        columns.put("latency_p99_ms", column(slices, latencies::p99Ms));
        return columns;
    }

    private static <T> List<Number> column(List<T> rows, Function<T, Number> value) {
        return rows.stream().map(value).toList();
    }
}
