package io.microbatch.bench.hosting;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.microbatch.testbed.oracle.Event;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Reads the change events of a database against its journal and its rows: every change in its place, and the rows that
 * follow from the events, key by key. What must come at least once whatever happens (notifications, heartbeats, the
 * rows of an incremental snapshot) counts when it is missing only. One thread.
 */
final class ChangeReading {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final long run;
    private final List<Map<String, Integer>> places = new ArrayList<>();
    private final List<String> signs;
    private final Delivered delivered;
    private final Map<String, Map<Long, String>> rows = new HashMap<>();
    private final Map<String, String> lastInserted = new HashMap<>();
    private final Map<String, Event> truncates = new HashMap<>();
    private final Set<Event> onceIsEnough = new HashSet<>();

    /**
     * Expects these changes.
     *
     * @param truth the journal, by stream
     * @param signs what has to be there at least once, each a stream of its own
     */
    ChangeReading(long run, List<List<String>> truth, List<String> signs) {
        this.run = run;
        this.signs = signs;
        for (List<String> stream : truth) {
            Map<String, Integer> ofStream = new HashMap<>();
            for (String token : stream) {
                Integer ignored = ofStream.put(token, ofStream.size());
            }
            places.add(ofStream);
        }
        delivered = new Delivered(
                run,
                Stream.concat(truth.stream().map(List::size), signs.stream().map(sign -> 1))
                        .mapToLong(Integer::longValue)
                        .toArray());
    }

    /** A record of a table's topic, in the order of the topic. */
    void saw(String table, int stream, ConsumerRecord<byte[], byte[]> record) {
        JsonNode key = parsed(record.key());
        JsonNode value = parsed(record.value());
        String token = ChangeTokens.of(key, value, lastInserted.getOrDefault(table, ""));
        boolean again = stream == Changes.LEDGER
                && value != null
                && value.path("source").path("snapshot").asText().equals("incremental");
        int at = again ? Changes.LEDGER_AGAIN : stream;
        Integer place = places.get(at).get(token);
        Event event = place == null ? null : new Event(run, at, place, 0);
        if (value != null && value.path("op").asText().equals("t")) {
            event = firstAt(value.path("source").path("lsn").asText(), event);
        }
        if (again && event != null && !onceIsEnough.add(event)) {
            return;
        }
        delivered.saw(record, event, value == null ? 0 : print(value));
        apply(table, key, value);
    }

    /**
     * A truncation is known by the row before it. One that comes again, because a worker was killed, may come behind a
     * later row, and is known by its position in the log.
     */
    private Event firstAt(String position, Event seen) {
        Event first = truncates.get(position);
        if (first == null && seen != null && !position.isEmpty()) {
            truncates.put(position, seen);
        }
        return first == null ? seen : first;
    }

    /** A record of another topic, which is one of the signs. */
    void sawSign(ConsumerRecord<byte[], byte[]> record, String sign) {
        Event event = new Event(run, places.size() + signs.indexOf(sign), 0, 0);
        if (onceIsEnough.add(event)) {
            delivered.saw(record, event, 0);
        }
    }

    /** What was delivered, compared with these rows of the database. */
    Delivered against(Map<String, Map<Long, String>> expected) {
        expected.forEach((table, ofDatabase) -> {
            Map<Long, String> ofEvents = rows.getOrDefault(table, Map.of());
            Set<Long> keys = new HashSet<>(ofDatabase.keySet());
            keys.addAll(ofEvents.keySet());
            keys.stream()
                    .filter(key -> !Objects.equals(ofDatabase.get(key), ofEvents.get(key)))
                    .forEach(key -> delivered.sawAltered());
        });
        return delivered;
    }

    private void apply(String table, JsonNode key, JsonNode value) {
        Map<Long, String> ofTable = rows.computeIfAbsent(table, ignored -> new HashMap<>());
        String op = value == null ? "" : value.path("op").asText();
        if (op.equals("t")) {
            ofTable.clear();
        } else if (value == null || op.equals("d")) {
            ofTable.remove(key.path("id").asLong());
        } else {
            String note = ChangeTokens.note(value, "after");
            ofTable.put(key.path("id").asLong(), note);
            lastInserted.put(table, note);
        }
    }

    /** What of an event is the same for every connector that reads the same changes. */
    private static int print(JsonNode value) {
        return Objects.hash(value.path("op").asText(), value.path("before"), value.path("after"));
    }

    private static JsonNode parsed(byte[] bytes) {
        try {
            return bytes == null ? null : JSON.readTree(bytes);
        } catch (IOException e) {
            throw new IllegalStateException("a change event is no JSON", e);
        }
    }
}
