package io.microbatch.connect.poll;

/** Why a batch ended. */
public enum FlushReason {
    /** As many events as the batch target were there. */
    EVENTS("events"),
    /** As many bytes as the batch target were there. */
    BYTES("bytes"),
    /** The oldest event had waited as long as the linger. */
    AGE("age"),
    /** Nothing had arrived for so long that waiting on would have brought nothing. */
    QUIET("quiet"),
    /** A stripe was full and its reader held up, or its reader brings nothing more before what is there is sent. */
    BUFFER_FULL("buffer-full"),
    /** A reader has ended: what it handed over goes out before its failure is reported. */
    CLOSING("closing");

    private final String label;

    FlushReason(String label) {
        this.label = label;
    }

    /** As metrics spell it. */
    public String label() {
        return label;
    }
}
