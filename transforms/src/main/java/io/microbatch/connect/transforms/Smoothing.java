package io.microbatch.connect.transforms;

import org.apache.kafka.common.config.ConfigDef.Range;

/** How a transform smooths the rate that it sees. */
final class Smoothing {

    static final long DEFAULT_MS = 5_000;
    static final Range RANGE = Range.between(50, 600_000);
    static final String DOC =
            "The time constant of the moving average of the rate, in milliseconds. Longer than that of the "
                    + "microbatch connector, which sees events as they arrive: here they come in the bursts in which "
                    + "the connector or the consumer polls, and several of those have to be averaged.";

    private Smoothing() {}
}
