package io.microbatch.connect.poll;

/** Why a batch ended. */
public enum FlushReason {
    /** Maximum records (N) was reached. */
    EVENTS("events"),
    /** Maximum bytes (B) was reached. */
    BYTES("bytes"),
    /** The oldest event had waited for the linger (T). */
    AGE("age"),
    /** No event had arrived for a quarter of the linger, or none could arrive before its end. */
    QUIET("quiet"),
    /** The upstream asked that an event leave by now, for example because its client waits no longer. */
    DEADLINE("deadline"),
    /** A stripe was full and blocked its reader, or its reader waits until the buffered events are sent. */
    BUFFER_FULL("buffer-full"),
    /** A reader has ended. Its events are returned before its failure is reported. */
    CLOSING("closing");

    private final String label;

    FlushReason(String label) {
        this.label = label;
    }

    /** The spelling in metrics. */
    public String label() {
        return label;
    }
}
