package io.microbatch.connect.upstream.http;

import io.microbatch.connect.config.HttpConfig;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.storage.OffsetStorageReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last keys of a task's clients. They are kept in source offsets, in segments of 256: each segment is a source
 * partition of its own, so that a transaction writes one segment and not the whole window. When the last segment is
 * full, the oldest one is forgotten at once, but never a request that is on its way. Reader thread.
 */
final class KeyWindow {

    /** The keys of a segment. */
    static final int SEGMENT_KEYS = 256;

    /** The segments of the largest window. */
    private static final int MAX_SEGMENTS = segments(HttpConfig.MAX_IDEMPOTENCY_KEYS);

    /** The field of the source partition: the number of the segment. */
    static final String WINDOW_FIELD = "window";

    private static final Logger log = LoggerFactory.getLogger(KeyWindow.class);

    /** The records whose places are remembered. About 12 bytes each. */
    private static final int MAX_KEPT_PLACES = 262_144;

    private final int task;
    private final Segment[] segments;
    private final Map<RequestKey.Id, KeyEntry> entries = new HashMap<>();
    private final ArrayDeque<KeyEntry> withPlaces = new ArrayDeque<>();
    private int keptPlaces;
    private int current;

    /** Committed keys of a larger window, in segments that this window does not have. */
    private final List<KeyEntry> inherited = new ArrayList<>();

    /** The segments that are still to be begun before this window has enough keys without the inherited ones. */
    private int turnsWithInherited;

    /** A segment: its keys as bytes, and how many there are. */
    private static final class Segment {
        private final Map<String, Integer> partition;
        private final List<KeyEntry> members = new ArrayList<>();
        private byte[] bytes = new byte[SEGMENT_KEYS * RequestKey.BYTES];

        private Segment(int task, int number) {
            this.partition = partition(task, number);
        }
    }

    /** A window of at least so many keys, empty. 0 remembers none. */
    KeyWindow(int task, int keys) {
        this.task = task;
        segments = new Segment[segments(keys)];
        for (int i = 0; i < segments.length; i++) {
            segments[i] = new Segment(task, i);
        }
    }

    /** One more than the keys fill, because a new round begins with an empty segment. */
    private static int segments(int keys) {
        return keys == 0 ? 0 : (keys + SEGMENT_KEYS - 1) / SEGMENT_KEYS + 1;
    }

    private static Map<String, Integer> partition(int task, int segment) {
        // Connect finds an offset by the serialized partition. Map.of would order the fields anew in each JVM.
        Map<String, Integer> fields = new LinkedHashMap<>();
        fields.put(HttpReader.PARTITION_FIELD, task);
        fields.put(WINDOW_FIELD, segment);
        return Collections.unmodifiableMap(fields);
    }

    /**
     * Reads the committed keys. Returns the highest number of a request, 0 for none. A larger window may have stored
     * it before, so that the segments which this window does not use count too. The newest keys are remembered, also
     * those of such a segment.
     */
    long load(OffsetStorageReader offsets) {
        List<Map<String, Integer>> partitions = new ArrayList<>();
        for (int i = 0; i < MAX_SEGMENTS; i++) {
            partitions.add(partition(task, i));
        }
        Map<Map<String, Integer>, Map<String, Object>> committed = offsets.offsets(partitions);
        List<Stored> stored = new ArrayList<>();
        for (int i = 0; i < MAX_SEGMENTS; i++) {
            Stored found = Stored.of(i, committed.get(partitions.get(i)));
            if (found != null) {
                stored.add(found);
            }
        }
        stored.sort(Comparator.comparingLong(Stored::number));
        int newer = stored.stream().mapToInt(Stored::count).sum();
        for (Stored segment : stored) {
            newer -= segment.count();
            if (segment.segment() < segments.length) {
                restore(segment);
            } else if (newer < (segments.length - 1) * SEGMENT_KEYS) {
                inherit(segment);
            }
        }
        turnsWithInherited = segments.length;
        if (!entries.isEmpty()) {
            log.info("{} keys of requests are remembered", entries.size());
        }
        return stored.isEmpty() ? 0 : stored.get(stored.size() - 1).number();
    }

    private record Stored(int segment, long number, byte[] keys) {

        int count() {
            return keys.length / RequestKey.BYTES;
        }

        /** Null if nothing is stored, or something that is not of this upstream. */
        static Stored of(int segment, Map<String, Object> offset) {
            if (offset == null
                    || !(offset.get(HttpReader.OFFSET_FIELD) instanceof Number number)
                    || !(offset.get(WindowOffset.KEYS_FIELD) instanceof String text)) {
                return null;
            }
            try {
                byte[] keys = Base64.getDecoder().decode(text);
                if (keys.length % RequestKey.BYTES == 0 && keys.length <= SEGMENT_KEYS * RequestKey.BYTES) {
                    return new Stored(segment, number.longValue(), keys);
                }
            } catch (IllegalArgumentException e) {
                log.debug("Not base64", e);
            }
            log.warn("The remembered keys of segment {} cannot be read and are forgotten", segment);
            return null;
        }
    }

    private void restore(Stored stored) {
        current = stored.segment();
        Segment segment = segments[current];
        System.arraycopy(stored.keys(), 0, segment.bytes, 0, stored.keys().length);
        remember(stored, segment.members);
    }

    /** The smaller window forgets these keys later: by then it has written more keys than it is to remember. */
    private void inherit(Stored stored) {
        remember(stored, inherited);
    }

    private void remember(Stored stored, List<KeyEntry> members) {
        ByteBuffer keys = ByteBuffer.wrap(stored.keys());
        for (int i = 0; keys.hasRemaining(); i++) {
            KeyEntry entry = new KeyEntry(RequestKey.readFrom(keys), stored.segment(), i, null);
            members.add(entry);
            if (!entry.key().isNone()) {
                KeyEntry older = entries.put(entry.key().id(), entry);
                log.trace("Replaces {}", older);
            }
        }
    }

    /** The entry of a key, or null if it is not remembered. */
    KeyEntry find(RequestKey.Id id) {
        return entries.get(id);
    }

    /**
     * Whether there is room for a key. There is none while the next segment to forget has a request on its way: its
     * repeat would be written a second time.
     */
    boolean hasRoom() {
        return segments[current].members.size() < SEGMENT_KEYS
                || segments[next()].members.stream().allMatch(KeyEntry::isSettled);
    }

    private int next() {
        return (current + 1) % segments.length;
    }

    /** Remembers the key of a request that is about to be handed over. Call it only if there is room. */
    KeyEntry add(RequestKey key, Places places) {
        if (segments[current].members.size() == SEGMENT_KEYS) {
            turn();
        }
        Segment segment = segments[current];
        int index = segment.members.size();
        KeyEntry entry = new KeyEntry(key, current, index, places);
        key.writeTo(ByteBuffer.wrap(segment.bytes, index * RequestKey.BYTES, RequestKey.BYTES));
        segment.members.add(entry);
        KeyEntry older = entries.put(key.id(), entry);
        log.trace("Replaces {}", older);
        keepPlaces(entry);
        return entry;
    }

    /** Begins the next round of the oldest segment. Its bytes may be with Connect and are not written again. */
    private void turn() {
        current = next();
        Segment oldest = segments[current];
        forget(oldest.members);
        turnsWithInherited--;
        if (turnsWithInherited == 0) {
            forget(inherited);
        }
        while (!withPlaces.isEmpty() && withPlaces.getFirst().segment() == current) {
            keptPlaces -= withPlaces.removeFirst().places().records();
        }
        oldest.bytes = new byte[SEGMENT_KEYS * RequestKey.BYTES];
    }

    private void forget(List<KeyEntry> members) {
        members.forEach(entry -> {
            boolean ignored = entries.remove(entry.key().id(), entry);
        });
        members.clear();
    }

    private void keepPlaces(KeyEntry added) {
        withPlaces.addLast(added);
        keptPlaces += added.places().records();
        while (keptPlaces > MAX_KEPT_PLACES && withPlaces.getFirst().isSettled()) {
            KeyEntry oldest = withPlaces.removeFirst();
            keptPlaces -= oldest.places().records();
            if (oldest.isDropped()) {
                // Without places it would count as written.
                remove(oldest);
            } else {
                oldest.forgetPlaces();
            }
        }
    }

    /** Forgets a request of which Kafka has nothing, so that its retry is written. */
    void remove(KeyEntry dropped) {
        if (!entries.remove(dropped.key().id(), dropped)) {
            return;
        }
        Segment segment = segments[dropped.segment()];
        // Offsets that are with Connect refer to the old bytes.
        segment.bytes = segment.bytes.clone();
        RequestKey.NONE.writeTo(ByteBuffer.wrap(segment.bytes, dropped.index() * RequestKey.BYTES, RequestKey.BYTES));
    }

    /** The source partition of a request with this key. */
    Map<String, ?> partition(KeyEntry entry) {
        return segments[entry.segment()].partition;
    }

    /**
     * The source offset of a record of the request that was added last.
     *
     * @param number the number of the request
     * @param isLast whether it is the request's last record
     */
    Map<String, ?> offset(KeyEntry entry, long number, boolean isLast) {
        byte[] bytes = segments[entry.segment()].bytes;
        return new WindowOffset(number, bytes, entry.index() + (isLast ? 1 : 0), isLast ? entry : null);
    }
}
