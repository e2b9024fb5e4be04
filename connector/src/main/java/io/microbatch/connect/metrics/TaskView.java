package io.microbatch.connect.metrics;

import io.microbatch.connect.control.Decision;

/** What a task shows of itself. Any thread; each figure is current by itself, not all of them at one moment. */
public interface TaskView {

    /** The decision in force. */
    Decision decision();

    /** Smoothed arrivals per second. */
    double arrivalsPerSec();

    /** Median of arrival to acknowledgement, in milliseconds. */
    double ackP50Ms();

    /** 99th percentile of arrival to acknowledgement, in milliseconds. */
    double ackP99Ms();

    /** Batches returned. */
    long batchTotal();

    /** Events returned. */
    long eventTotal();

    /** Events settled without being delivered. */
    long skippedTotal();

    /** Events that went to the dead letter topic. */
    long deadLetterTotal();

    /** Estimated bytes of filtered events that the worker keeps because nothing commits. */
    long filteredKeptBytes();

    /** Events per busy second in the last window. */
    double capacityPerSec();

    /** Settings that were tried out. */
    long explorationTotal();

    /** How often a level fell short of its expected throughput. */
    long regressionTotal();

    /** Events in the stripes. */
    long bufferEvents();

    /** Estimated bytes in the stripes. */
    long bufferBytes();

    /** Events that Connect is not done with. */
    long ledgerDepth();
}
