package io.microbatch.bench.cdc;

import java.util.OptionalDouble;

/**
 * What the pipeline says about itself at one moment; what it does not say is empty.
 *
 * @param level the pressure level, 1 to 10
 * @param batchTarget N, the events that end a batch at once
 * @param lingerMs T, the longest deliberate delay of an event
 * @param batchTotal batches handed to the worker so far
 * @param eventTotal events handed to the worker so far
 * @param transactionTotal transactions that the broker was asked to end so far
 */
record MetricsSample(
        OptionalDouble level,
        OptionalDouble batchTarget,
        OptionalDouble lingerMs,
        OptionalDouble batchTotal,
        OptionalDouble eventTotal,
        OptionalDouble transactionTotal) {

    /** Of two samples of a phase the one that tells more about it: the higher level, the later when equal. */
    static MetricsSample morePressed(MetricsSample earlier, MetricsSample later) {
        return earlier.level.orElse(0) > later.level.orElse(0) ? earlier : later;
    }

    /** Events per batch since an earlier sample; empty when either does not know or no batch was made. */
    OptionalDouble batchEventsSince(MetricsSample earlier) {
        OptionalDouble batches = difference(batchTotal, earlier.batchTotal);
        OptionalDouble events = difference(eventTotal, earlier.eventTotal);
        return batches.orElse(0) > 0 && events.isPresent()
                ? OptionalDouble.of(events.getAsDouble() / batches.getAsDouble())
                : OptionalDouble.empty();
    }

    /** Transactions ended since an earlier sample. */
    OptionalDouble transactionsSince(MetricsSample earlier) {
        return difference(transactionTotal, earlier.transactionTotal);
    }

    private static OptionalDouble difference(OptionalDouble later, OptionalDouble earlier) {
        return later.isPresent() && earlier.isPresent()
                ? OptionalDouble.of(later.getAsDouble() - earlier.getAsDouble())
                : OptionalDouble.empty();
    }
}
