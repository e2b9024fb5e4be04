package io.microbatch.testbed.oracle;

/**
 * What an event says about itself, once its hash has been verified.
 *
 * @param run the seed of the run that it belongs to
 * @param partition the source partition
 * @param sequence the place in the source partition, from 0
 * @param madeEpochMs when it came into being upstream
 */
public record Event(long run, int partition, long sequence, long madeEpochMs) {}
