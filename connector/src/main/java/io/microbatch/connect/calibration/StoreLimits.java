package io.microbatch.connect.calibration;

/**
 * The limits of a calibration file. Immutable; any thread.
 *
 * @param observationsPerLevel observations kept per key and level
 * @param keys keys kept, the most recently opened ones: a new version of the connector is a new key
 * @param maxPages the maximum size that SQLite allows for the file, pages of 4096 bytes
 */
record StoreLimits(int observationsPerLevel, int keys, int maxPages) {
    /** Keeps five and a half hours per level at the default window. A file with every key and level is about 35 MB. */
    static final StoreLimits DEFAULT = new StoreLimits(2_000, 8, 16_384);
}
