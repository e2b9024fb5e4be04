package io.microbatch.bench.producer;

import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;

/**
 * Makes records of checkable events, {@value #EVENT_BYTES} bytes each unless said otherwise. The filler is made
 * beforehand, for as many events as the largest record has, and is the same again behind those; number, time and
 * checksum are each event's own. One thread.
 */
public final class Payload {

    static final int EVENT_BYTES = 100;
    private static final int FILLERS = 10_000;

    /** What the filler is. */
    public enum Kind {
        /** Random bytes, which no codec makes smaller. */
        RANDOM,
        /** English words. */
        COMPRESSIBLE;

        /** As options and results spell it. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final SyntheticEvent codec = new SyntheticEvent();
    private final int eventBytes;
    private final byte[] fillers;

    Payload(Kind kind) {
        this(kind, EVENT_BYTES);
    }

    /** Of events of this size. */
    public Payload(Kind kind, int eventBytes) {
        this.eventBytes = eventBytes;
        this.fillers = new byte[FILLERS * eventBytes];
        for (int i = 0; i < FILLERS; i++) {
            byte[] event = codec.encode(0, 0, i, 0, eventBytes, kind == Kind.COMPRESSIBLE);
            System.arraycopy(event, 0, fillers, i * eventBytes, eventBytes);
        }
    }

    /** A record of this many events, which must divide {@value #FILLERS}. The first of them has this number. */
    byte[] record(long firstNumber, int events) {
        int from = (int) (firstNumber % FILLERS) * eventBytes;
        byte[] record = Arrays.copyOfRange(fillers, from, from + events * eventBytes);
        Instant now = Instant.now();
        long epochNanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
        for (int i = 0; i < events; i++) {
            codec.restamp(record, i * eventBytes, firstNumber + i, epochNanos);
        }
        return record;
    }
}
