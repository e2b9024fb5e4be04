package io.microbatch.connect.calibration;

/**
 * How calibration fares, for metrics and logs. Immutable; any thread.
 *
 * @param durable whether observations reach the disk at present
 * @param reason why not, in one line with the cure; empty when durable
 * @param droppedWrites writes that did not reach the disk; counts up
 * @param skippedRows rows that were read and not believed; counts up
 */
public record CalibrationStatus(boolean durable, String reason, long droppedWrites, long skippedRows) {}
