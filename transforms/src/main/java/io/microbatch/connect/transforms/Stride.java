package io.microbatch.connect.transforms;

/** How many records lie between two looks at the clock, so that looking costs next to nothing at a high rate. */
final class Stride {

    private static final double LOOKS_PER_SEC = 1_000;

    private Stride() {}

    /** Each record up to a thousand a second, then ever fewer of them. */
    static int of(double recordsPerSec, int longest) {
        return (int) Math.max(1, Math.min(longest, recordsPerSec / LOOKS_PER_SEC));
    }
}
