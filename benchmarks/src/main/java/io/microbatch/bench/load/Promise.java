package io.microbatch.bench.load;

import io.microbatch.testbed.oracle.Findings;

/**
 * What a run may show and still be as its settings promise. All of them promise order, and that nothing
 * comes that was not sent. Immutable.
 *
 * @param mayLose whether events may be missing
 * @param mayRepeat whether events may come again
 */
public record Promise(boolean mayLose, boolean mayRepeat) {

    /** Every event, once. */
    public static final Promise EXACT = new Promise(false, false);

    /**
     * The promise of a producer setting and a delivery mode. Without acknowledgements, events may be lost unnoticed. At
     * least once repeats events only after an interruption.
     */
    public static Promise of(Delivery delivery, String acks, boolean disturbed) {
        return new Promise("0".equals(acks), disturbed && delivery == Delivery.AT_LEAST_ONCE);
    }

    /** Whether what was read is as promised. */
    public boolean isKeptBy(Findings found) {
        return (mayLose || found.lost() == 0)
                && (mayRepeat || found.duplicated() == 0)
                && found.reordered() == 0
                && found.foreign() == 0;
    }

    /** In words. */
    public String text() {
        return (mayLose ? "events may be lost" : "nothing lost")
                + (mayRepeat ? ", events may come again" : ", nothing twice") + ", nothing reordered";
    }
}
