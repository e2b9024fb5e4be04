package io.microbatch.testbed.oracle;

/**
 * The content of an event whose hash has been verified.
 *
 * @param run the seed of the event's run
 * @param partition the source partition
 * @param sequence the place in the source partition, from 0
 * @param madeEpochMs the time of its creation in the upstream
 */
public record Event(long run, int partition, long sequence, long madeEpochMs) {}
