package io.microbatch.connect.metrics;

import io.microbatch.connect.stripe.StripeProgress;
import java.util.function.ToDoubleFunction;

/** The metrics of which each stripe has one. Read from any thread. */
public enum StripeMetric {
    /** Buffered events. */
    EVENTS("stripe-events", "events", "Events in the stripe.", StripeProgress::sizeEvents),
    /** Buffered bytes. */
    BYTES("stripe-bytes", "bytes", "Estimated size of the events in the stripe.", StripeProgress::sizeBytes),
    /** Room for events. */
    REMAINING_EVENTS(
            "stripe-remaining-events",
            "events",
            "How many more events the stripe can hold. The task may let it have fewer, two batches at most.",
            stripe -> Math.max(0, stripe.capacityEvents() - stripe.sizeEvents())),
    /** Room for bytes. */
    REMAINING_BYTES(
            "stripe-remaining-bytes",
            "bytes",
            "How many more bytes the stripe can hold; 0 while one event larger than the stripe is in it.",
            stripe -> Math.max(0, stripe.capacityBytes() - stripe.sizeBytes())),
    /** Refusals. */
    FULL_TOTAL("stripe-full-total", "times", "How often the reader found the stripe full.", StripeProgress::fullTotal);

    /** The tag that tells the stripes apart, by their numbers from 0. */
    public static final String TAG = "stripe";

    private final MetricDefinition definition;
    private final ToDoubleFunction<StripeProgress> value;

    StripeMetric(String name, String unit, String description, ToDoubleFunction<StripeProgress> value) {
        this.definition = new MetricDefinition(name, unit, TAG, description);
        this.value = value;
    }

    /** Name, unit and meaning. */
    public MetricDefinition definition() {
        return definition;
    }

    double of(StripeProgress stripe) {
        return value.applyAsDouble(stripe);
    }
}
