package io.microbatch.connect.it.partitioned;

/** The content of an event, computed from its position and the seed. Stateless. Any thread. */
public final class SequenceEvent {

    private static final long ODD = 0x9E3779B97F4A7C15L;

    private SequenceEvent() {}

    /** {@code sequence:position:content}. */
    public static String text(long seed, int sequence, long position) {
        long mixed = (seed * ODD + sequence) * ODD + position;
        mixed = (mixed ^ (mixed >>> 29)) * ODD;
        return sequence + ":" + position + ":" + Long.toHexString(mixed ^ (mixed >>> 32));
    }
}
