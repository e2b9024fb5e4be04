package io.microbatch.connect.calibration;

/**
 * The limits of a calibration file: observations per key and level, keys, and pages of 4,096 bytes. The most recently
 * opened keys are kept. Immutable; any thread.
 */
record StoreLimits(int observationsPerLevel, int keys, int maxPages) {
    /** Keeps five and a half hours per level at the default window. A file with every key and level is about 35 MB. */
    static final StoreLimits DEFAULT = new StoreLimits(2_000, 8, 16_384);
}
