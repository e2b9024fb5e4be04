package io.microbatch.connect.bulk;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Seeded random records with many edge cases: nulls, empty arrays, lengths at which a varint grows, and neighbours of
 * equal length.
 */
final class RandomRecords {

    private static final int[] EDGES = {0, 1, 126, 127, 128, 129, 16_383, 16_384};
    private static final long[] TIMES = {0, 1, BulkFormat.NO_TIMESTAMP, Long.MAX_VALUE, Long.MAX_VALUE - 1};

    private final Random random;
    private int lastLength;

    RandomRecords(long seed) {
        random = new Random(seed);
    }

    int flags() {
        return random.nextInt(BulkFormat.ALL_FLAGS + 1);
    }

    BulkWriter writer(int flags) {
        long base = random.nextInt(4) == 0 ? edgeTime() : random.nextLong(2_000_000_000_000L);
        return BulkWriter.of(flags, Math.max(0, base));
    }

    List<BulkEvent> events(int flags) {
        int count = random.nextInt(20);
        List<BulkEvent> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(event(flags));
        }
        return events;
    }

    BulkEvent event(int flags) {
        boolean keyed = (flags & BulkFormat.FLAG_KEYS) != 0 && random.nextInt(3) > 0;
        boolean timed = (flags & BulkFormat.FLAG_TIMESTAMPS) != 0;
        boolean isNull = (flags & BulkFormat.FLAG_NULL_VALUES) != 0 && random.nextInt(3) == 0;
        long timestampMs = random.nextInt(4) == 0 ? edgeTime() : random.nextLong(2_000_000_000_000L);
        return new BulkEvent(
                keyed ? bytes() : null, timed ? timestampMs : BulkFormat.NO_TIMESTAMP, isNull ? null : bytes());
    }

    private long edgeTime() {
        return TIMES[random.nextInt(TIMES.length)];
    }

    private byte[] bytes() {
        byte[] bytes = new byte[length()];
        random.nextBytes(bytes);
        return bytes;
    }

    private int length() {
        lastLength = switch (random.nextInt(6)) {
            case 0, 1, 2 -> lastLength;
            case 3 -> EDGES[random.nextInt(EDGES.length)];
            default -> random.nextInt(40);
        };
        return lastLength;
    }
}
