package io.microbatch.bench.producer;

import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;

/**
 * Makes records of checkable events of {@value #EVENT_BYTES} bytes. The filler is made beforehand, for as many events as
 * the largest record has, and is the same again behind those; number, time and checksum are each event's own. One thread.
 */
final class Payload {

    static final int EVENT_BYTES = 100;
    private static final int FILLERS = 10_000;

    /** What the filler is. */
    enum Kind {
        /** Random bytes, which no codec makes smaller. */
        RANDOM,
        /** English words. */
        COMPRESSIBLE;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final SyntheticEvent codec = new SyntheticEvent();
    private final byte[] fillers = new byte[FILLERS * EVENT_BYTES];

    Payload(Kind kind) {
        for (int i = 0; i < FILLERS; i++) {
            byte[] event = codec.encode(0, 0, i, 0, EVENT_BYTES, kind == Kind.COMPRESSIBLE);
            System.arraycopy(event, 0, fillers, i * EVENT_BYTES, EVENT_BYTES);
        }
    }

    /** A record of so many events, which must divide {@value #FILLERS}, the first of which has this number. */
    byte[] record(long firstNumber, int events) {
        int from = (int) (firstNumber % FILLERS) * EVENT_BYTES;
        byte[] record = Arrays.copyOfRange(fillers, from, from + events * EVENT_BYTES);
        Instant now = Instant.now();
        long epochNanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
        for (int i = 0; i < events; i++) {
            codec.restamp(record, i * EVENT_BYTES, firstNumber + i, epochNanos);
        }
        return record;
    }
}
