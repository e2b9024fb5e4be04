package io.microbatch.connect.metrics;

import io.microbatch.connect.poll.FlushReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Every metric that there is, and where its value comes from. Stateless; any thread. */
public final class MetricCatalogue {

    private static final MetricDefinition READER_BLOCKED = new MetricDefinition(
            "reader-blocked-ms-total",
            "ms",
            StripeMetric.TAG,
            "How long the stripe's reader has waited for room: what the worker is too slow for.");

    private static final MetricDefinition FLUSH = new MetricDefinition(
            "flush-total",
            "batches",
            "reason",
            "Batches by why they ended: events (N was there), bytes (B was there), age (T was over), quiet (nothing"
                    + " arrived any more), buffer-full (a stripe was full, or a"
                    + " hosted task is polled in step with Connect), closing (a reader has ended).");

    private MetricCatalogue() {}

    /** All definitions, in the order in which they are worth reading. */
    public static List<MetricDefinition> definitions() {
        List<MetricDefinition> all = new ArrayList<>();
        for (TaskMetric metric : TaskMetric.values()) {
            all.add(metric.definition());
        }
        all.add(FLUSH);
        for (StripeMetric metric : StripeMetric.values()) {
            all.add(metric.definition());
        }
        all.add(READER_BLOCKED);
        return all;
    }

    /** Registers every metric of a task. */
    static void register(TaskView view, MetricSink sink) {
        for (TaskMetric metric : TaskMetric.values()) {
            sink.add(metric.definition(), Map.of(), () -> metric.of(view));
        }
        for (FlushReason reason : FlushReason.values()) {
            sink.add(FLUSH, Map.of(FLUSH.tag(), reason.label()), () -> view.flushTotal(reason));
        }
        for (int i = 0; i < view.stripeCount(); i++) {
            int stripe = i;
            Map<String, String> tags = Map.of(StripeMetric.TAG, Integer.toString(stripe));
            for (StripeMetric metric : StripeMetric.values()) {
                sink.add(metric.definition(), tags, () -> metric.of(view.stripe(stripe)));
            }
            sink.add(READER_BLOCKED, tags, () -> view.readerBlockedMs(stripe));
        }
    }
}
