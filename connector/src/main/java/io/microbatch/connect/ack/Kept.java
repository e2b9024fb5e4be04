package io.microbatch.connect.ack;

/** What of a settled event an upstream needs once it is told of it, which may be much later. */
public enum Kept {
    /** Where the event lies upstream; key and value are let go. */
    PLACE,
    /** The upstream's own record, since the upstream may recognize the event by that alone. */
    ORIGIN;

    /** What is kept of this event instead of itself; it is settled. */
    public SettledEvent of(SettledEvent event) {
        if (event instanceof EventRecord record) {
            return this == PLACE ? KeptEvent.withPlace(record) : KeptEvent.withOrigin(record);
        }
        return event;
    }
}
