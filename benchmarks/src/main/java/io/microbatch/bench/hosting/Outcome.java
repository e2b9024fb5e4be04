package io.microbatch.bench.hosting;

/**
 * What became of a connector on one side.
 *
 * @param events how many its source held
 * @param lost events that are not in Kafka
 * @param duplicated records beyond the first of their event
 * @param reordered first records of an event behind one of a later event of its source partition
 * @param altered records that do not carry what was sent, and, if hosted, events that differ from those of the plain one
 * @param failures how often a task or the connector had failed and was restarted over REST
 * @param perSec records per second, NaN where that cannot be told
 * @param problem why it did not come to its end, empty if it did
 */
record Outcome(
        long events,
        long lost,
        long duplicated,
        long reordered,
        long altered,
        int failures,
        double perSec,
        String problem) {

    /** Every event once, in order and unaltered. */
    boolean isExact() {
        return lost == 0 && duplicated == 0 && reordered == 0 && altered == 0;
    }

    boolean hasEnded() {
        return problem.isEmpty();
    }
}
