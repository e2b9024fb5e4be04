package io.microbatch.connect.transforms;

import org.apache.kafka.common.config.ConfigDef.Range;

/** The setting that smooths a transform's rate of records. */
final class Smoothing {

    static final long DEFAULT_MS = 5_000;
    static final Range RANGE = Range.between(50, 600_000);
    static final String DOC =
            "The time constant of the moving average of the rate, in milliseconds. It is longer than that of the "
                    + "microbatch connector, because a transform gets records in bursts, one per poll of the connector "
                    + "or the consumer, and the average must cover several bursts.";

    private Smoothing() {}
}
