package io.microbatch.connect.it;

import io.microbatch.connect.it.partitioned.SequenceEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntToLongFunction;

/**
 * Compares the content of a topic with the sequences of events that it should hold.
 *
 * @param lost events that are missing
 * @param repeated further records of events
 * @param reordered first records that come after a later event
 * @param corrupt records that are no event of these sequences
 */
record SequenceCheck(long lost, long repeated, long reordered, long corrupt) {

    static final SequenceCheck CLEAN = new SequenceCheck(0, 0, 0, 0);

    /** Checks the texts of a topic against this number of sequences and their ends. */
    static SequenceCheck of(List<String> texts, long seed, int sequences, IntToLongFunction end) {
        Set<String> missing = new HashSet<>();
        for (int sequence = 0; sequence < sequences; sequence++) {
            for (long position = 0; position < end.applyAsLong(sequence); position++) {
                missing.add(SequenceEvent.text(seed, sequence, position));
            }
        }
        Set<String> seen = new HashSet<>();
        Map<String, Long> furthest = new HashMap<>();
        long repeated = 0;
        long reordered = 0;
        long corrupt = 0;
        for (String text : texts) {
            if (seen.contains(text)) {
                repeated++;
            } else if (missing.remove(text)) {
                seen.add(text);
                String[] parts = text.split(":", -1);
                long position = Long.parseLong(parts[1]);
                if (furthest.getOrDefault(parts[0], -1L) > position) {
                    reordered++;
                } else {
                    furthest.put(parts[0], position);
                }
            } else {
                corrupt++;
            }
        }
        return new SequenceCheck(missing.size(), repeated, reordered, corrupt);
    }

    /** Whether nothing is lost, and first occurrences are in order. */
    boolean isAtLeastOnce() {
        return lost == 0 && reordered == 0 && corrupt == 0;
    }
}
