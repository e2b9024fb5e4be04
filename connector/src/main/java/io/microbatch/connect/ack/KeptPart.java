package io.microbatch.connect.ack;

/** The part of a settled event that is kept until its upstream is notified, which may be much later. */
public enum KeptPart {
    /** The source partition and offset, without key and value. */
    PLACE,
    /** The upstream's own record, because the upstream may recognize the event by that record only. */
    ORIGIN;

    /** Returns the kept part of a settled event. */
    public SettledEvent of(SettledEvent event) {
        if (event instanceof EventRecord record) {
            return this == PLACE ? KeptEvent.withPlace(record) : KeptEvent.withOrigin(record);
        }
        return event;
    }
}
