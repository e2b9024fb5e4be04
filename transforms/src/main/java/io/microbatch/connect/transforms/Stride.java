package io.microbatch.connect.transforms;

/** The number of records between two looks at the clock, so that looks cost little at a high rate. */
final class Stride {

    private static final double LOOKS_PER_SEC = 1_000;

    private Stride() {}

    /** One up to a thousand records per second, then in proportion to the rate. */
    static int of(double recordsPerSec, int max) {
        return (int) Math.max(1, Math.min(max, recordsPerSec / LOOKS_PER_SEC));
    }
}
