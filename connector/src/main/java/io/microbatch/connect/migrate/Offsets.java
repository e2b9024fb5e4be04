package io.microbatch.connect.migrate;

import io.microbatch.connect.console.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The committed offsets of a connector. Equal if each source partition has the same offset, in whatever order.
 * Immutable; any thread.
 *
 * @param byPartition the offset of each source partition
 */
record Offsets(Map<Object, Object> byPartition) {

    private static final int MAX_SHOWN = 10;

    /** From the answer of {@code GET /connectors/<name>/offsets}. */
    static Offsets of(Object answer) {
        Map<Object, Object> offsets = new LinkedHashMap<>();
        Json.objects(answer, "offsets").forEach(entry -> offsets.put(entry.get("partition"), entry.get("offset")));
        return new Offsets(offsets);
    }

    /** In the form of a body for {@code PATCH /connectors/<name>/offsets}. */
    Map<String, Object> body() {
        List<Object> entries = new ArrayList<>();
        byPartition.forEach((partition, offset) -> {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("partition", partition);
            entry.put("offset", offset);
            entries.add(entry);
        });
        return Map.of("offsets", entries);
    }

    /**
     * The source partitions of which Debezium has not finished its snapshot, as its offsets say. After a stop it begins
     * the snapshot again.
     */
    Set<String> inSnapshot() {
        return byPartition.entrySet().stream()
                .filter(entry -> entry.getValue() instanceof Map<?, ?> offset && isInSnapshot(offset))
                .map(entry -> json(entry.getKey()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Debezium's connector for MongoDB has a mark of its own, which it removes at the end. */
    private static boolean isInSnapshot(Map<?, ?> offset) {
        boolean begun = isTrue(offset.get("snapshot"));
        boolean ended = isTrue(offset.get("snapshot_completed")) || isTrue(offset.get("last_snapshot_record"));
        return (begun && !ended) || isTrue(offset.get("initsync"));
    }

    /** Releases of Debezium have a truth value there, or the kind of the snapshot. */
    private static boolean isTrue(Object mark) {
        return mark != null && !"false".equalsIgnoreCase(mark.toString());
    }

    int size() {
        return byPartition.size();
    }

    /** A line for each source partition, and one for the rest where there are many. */
    List<String> lines() {
        List<String> lines = byPartition.entrySet().stream()
                .limit(MAX_SHOWN)
                .map(entry -> json(entry.getKey()) + " at " + json(entry.getValue()))
                .collect(Collectors.toCollection(ArrayList::new));
        if (size() > MAX_SHOWN) {
            lines.add("and " + (size() - MAX_SHOWN) + " more");
        }
        return lines;
    }

    /** What differs in the other offsets: a line for each source partition. Empty if they are equal. */
    List<String> differences(Offsets other) {
        List<String> lines = new ArrayList<>();
        byPartition.forEach((partition, offset) -> {
            Object theirs = other.byPartition.get(partition);
            if (!other.byPartition.containsKey(partition)) {
                lines.add(json(partition) + " has no offset any more; it was at " + json(offset));
            } else if (offset == null ? theirs != null : !offset.equals(theirs)) {
                lines.add(json(partition) + " was at " + json(offset) + " and is at " + json(theirs));
            }
        });
        other.byPartition.forEach((partition, offset) -> {
            if (!byPartition.containsKey(partition)) {
                lines.add(json(partition) + " had no offset and is at " + json(offset));
            }
        });
        return lines;
    }

    /** The source partitions that have no offset in the others. */
    Set<String> missingIn(Offsets other) {
        return byPartition.keySet().stream()
                .filter(partition -> !other.byPartition.containsKey(partition))
                .map(Offsets::json)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String json(Object tree) {
        return new String(Json.write(tree), StandardCharsets.UTF_8);
    }
}
