package io.microbatch.connect.metrics;

import io.microbatch.connect.control.Decision;
import io.microbatch.connect.poll.FlushReason;
import io.microbatch.connect.stripe.StripeProgress;

/**
 * What a task shows of itself. Any thread; each figure is current by itself, not all of them at one moment. What a figure
 * means stands in {@link TaskMetric}; where there is none it is not a number.
 */
public interface TaskView {

    /** The decision in force. */
    Decision decision();

    /** Smoothed arrivals per second. */
    double arrivalsPerSec();

    /** Median of arrival to acknowledgement, in milliseconds. */
    double ackP50Ms();

    /** 99th percentile of arrival to acknowledgement, in milliseconds. */
    double ackP99Ms();

    /** The longest arrival to acknowledgement, in milliseconds. */
    double ackMaxMs();

    /** Batches returned. */
    long batchTotal();

    /** Events returned. */
    long eventTotal();

    /** Events of a batch. */
    double batchEventsAvg();

    /** Estimated bytes of a batch. */
    double batchBytesAvg();

    /** Batches that ended for this reason. */
    long flushTotal(FlushReason reason);

    /** From a batch's return to its acknowledgement, in milliseconds. */
    double commitTimeMs();

    /** The part of its time that the task thread is busy, 0 to 1. */
    double busyRatio();

    /** Events per busy second in the last window. */
    double serviceRatePerSec();

    /** Events settled without being delivered. */
    long skippedTotal();

    /** Events that went to the dead letter topic. */
    long deadLetterTotal();

    /** Estimated bytes of filtered events that the worker keeps because nothing commits. */
    long filteredKeptBytes();

    /** Settings that were tried out. */
    long explorationTotal();

    /** How often a level fell short of its expected throughput. */
    long regressionTotal();

    /** Seconds since something was learned. */
    double calibrationAgeSec();

    /** Events in the stripes. */
    long bufferEvents();

    /** Estimated bytes in the stripes. */
    long bufferBytes();

    /** How many stripes there are. */
    int stripeCount();

    /** How a stripe is doing, from 0. */
    StripeProgress stripe(int stripe);

    /** How long the reader of a stripe has waited for room, in milliseconds. */
    long readerBlockedMs(int stripe);

    /** How old the last event was when it was read, in milliseconds. */
    double upstreamLagMs();

    /** Events that Connect is not done with. */
    long ledgerDepth();
}
