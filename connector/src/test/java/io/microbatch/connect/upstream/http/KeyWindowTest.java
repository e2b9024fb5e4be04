package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.upstream.synthetic.StoredOffsets;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.json.JsonConverter;
import org.junit.jupiter.api.Test;

/** The window of keys: what is committed with a record, what a successor knows, and what is forgotten. */
class KeyWindowTest {

    private static final int TASK = 3;

    private final Map<Map<String, ?>, Map<String, Object>> committed = new HashMap<>();
    private long number;

    private static RequestKey key(int i) {
        return RequestKey.of("principal", "topic", "key-" + i, List.of(event("k", "v", 1, 2L)));
    }

    private static byte[] bytes(String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    private static HttpEvent event(String key, String value, Integer partition, Long timestampMs, String... headers) {
        List<HttpHeader> all = Stream.of(headers)
                .map(header -> new HttpHeader(header, bytes("value of " + header.length())))
                .toList();
        return new HttpEvent(bytes(key), bytes(value), partition, timestampMs, all);
    }

    private static Places settled(RecordMetadata... places) {
        Places all = new Places(places.length);
        for (int i = 0; i < places.length; i++) {
            boolean ignored = all.settled(i, places[i]);
        }
        return all;
    }

    private static RecordMetadata place(int partition, long offset) {
        return new RecordMetadata(new TopicPartition("topic", partition), offset, 0, 0, 0, 0);
    }

    /** Adds a key and commits the offset of its last record, as Connect does. */
    private KeyEntry commit(KeyWindow window, RequestKey key) {
        KeyEntry entry = window.add(key, settled(place(0, 1)));
        number++;
        committed.put(window.partition(entry), new HashMap<>(window.offset(entry, number, true)));
        return entry;
    }

    private KeyWindow successor(int keys) {
        KeyWindow window = new KeyWindow(TASK, keys);
        assertThat(window.load(new StoredOffsets(committed))).isEqualTo(number);
        return window;
    }

    @Test
    void aSuccessorKnowsEveryCommittedKey() {
        KeyWindow window = new KeyWindow(TASK, 1_024);
        for (int i = 0; i < 600; i++) {
            KeyEntry ignored = commit(window, key(i));
        }
        KeyWindow successor = successor(1_024);
        for (int i = 0; i < 600; i++) {
            KeyEntry found = successor.find(key(i).id());
            assertThat(found).as("key %s", i).isNotNull();
            assertThat(found.key()).isEqualTo(key(i));
            assertThat(found.isSettled()).isTrue();
            assertThat(found.places()).isNull();
        }
        assertThat(successor.find(key(600).id())).isNull();
        assertThat(committed).hasSize(3);
    }

    @Test
    void forgetsTheOldestSegmentAndOnlyThat() {
        KeyWindow window = new KeyWindow(TASK, 512);
        for (int i = 0; i < 769; i++) {
            KeyEntry ignored = commit(window, key(i));
        }
        for (KeyWindow each : new KeyWindow[] {window, successor(512)}) {
            assertThat(each.find(key(0).id())).isNull();
            assertThat(each.find(key(255).id())).isNull();
            assertThat(each.find(key(256).id())).isNotNull();
            assertThat(each.find(key(768).id())).isNotNull();
        }
    }

    @Test
    void remembersAtLeastAsManyKeysAsItIsAskedTo() {
        for (int keys : new int[] {256, 300, 512}) {
            KeyWindow window = new KeyWindow(TASK, keys);
            for (int i = 0; i < 2_000; i++) {
                KeyEntry ignored = window.add(key(i), settled(place(0, 1)));
                assertThat(window.find(key(Math.max(0, i + 1 - keys)).id()))
                        .as("the oldest of the last %s keys after key %s", keys, i)
                        .isNotNull();
            }
        }
    }

    @Test
    void neverForgetsARequestThatIsOnItsWay() {
        KeyWindow window = new KeyWindow(TASK, 256);
        Places places = new Places(1);
        KeyEntry first = window.add(key(0), places);
        for (int i = 1; i < 512; i++) {
            assertThat(window.hasRoom()).as("key %s", i).isTrue();
            KeyEntry ignored = window.add(key(i), settled(place(0, 1)));
        }
        assertThat(window.hasRoom()).isFalse();
        assertThat(window.find(key(0).id())).isSameAs(first);
        assertThat(places.settled(0, place(0, 2))).isTrue();
        assertThat(window.hasRoom()).isTrue();
        KeyEntry ignored = window.add(key(512), settled(place(0, 3)));
        assertThat(window.find(key(0).id())).isNull();
    }

    /** Otherwise a request could get the number of an earlier one, and the order of the segments would be lost. */
    @Test
    void aSmallerWindowKnowsTheNumbersOfALargerOne() {
        KeyWindow window = new KeyWindow(TASK, 65_536);
        for (int i = 0; i < 900; i++) {
            KeyEntry ignored = commit(window, key(i));
        }
        assertThat(successor(0).find(key(899).id())).isNull();
        assertThat(successor(256).find(key(511).id())).isNotNull();
        assertThat(successor(65_536).find(key(0).id())).isNotNull();
    }

    /** A larger window has most of the newest keys in segments that the smaller one does not have. */
    @Test
    void aSmallerWindowKnowsTheNewestKeysOfALargerOne() {
        KeyWindow window = new KeyWindow(TASK, 65_536);
        for (int i = 0; i < 900; i++) {
            KeyEntry ignored = commit(window, key(i));
        }
        KeyWindow smaller = successor(256);
        for (int i = 900 - 256; i < 900; i++) {
            assertThat(smaller.find(key(i).id())).as("key %s", i).isNotNull();
        }
        assertThat(successor(256).find(key(644).id()))
                .as("after one more restart")
                .isNotNull();
        for (int i = 900; i < 2_000; i++) {
            KeyEntry ignored = commit(smaller, key(i));
            int oldest = i + 1 - 256;
            assertThat(smaller.find(key(oldest).id()))
                    .as("the oldest of the last 256 keys after key %s", i)
                    .isNotNull();
            if (i % 100 == 0) {
                assertThat(successor(256).find(key(oldest).id()))
                        .as("the same after a restart")
                        .isNotNull();
            }
        }
        assertThat(smaller.find(key(899).id())).as("keys do not stay for ever").isNull();
    }

    /** The places of old requests are forgotten to save memory. Without places, a request counts as written. */
    @Test
    void aDroppedRequestWithManyRecordsIsForgottenWithItsPlaces() {
        KeyWindow window = new KeyWindow(TASK, 512);
        RecordMetadata[] nowhere = new RecordMetadata[150_000];
        KeyEntry dropped = window.add(key(0), settled(nowhere));
        RecordMetadata[] somewhere = nowhere.clone();
        Arrays.fill(somewhere, place(0, 1));
        KeyEntry written = window.add(key(1), settled(somewhere));
        KeyEntry last = window.add(key(2), settled(somewhere));
        assertThat(dropped.isDropped()).isTrue();
        assertThat(window.find(key(0).id())).isNull();
        assertThat(window.find(key(1).id())).isSameAs(written);
        assertThat(written.places()).isNull();
        assertThat(last.places()).isNotNull();
    }

    @Test
    void aSuccessorContinuesTheSegmentThatWasNotFull() {
        KeyWindow window = new KeyWindow(TASK, 512);
        for (int i = 0; i < 300; i++) {
            KeyEntry ignored = commit(window, key(i));
        }
        KeyWindow successor = successor(512);
        KeyEntry next = commit(successor, key(300));
        assertThat(next.segment()).isEqualTo(1);
        assertThat(next.index()).isEqualTo(44);
        assertThat(successor(512).find(key(299).id())).isNotNull();
        assertThat(successor(512).find(key(300).id())).isNotNull();
    }

    @Test
    void onlyTheLastRecordOfARequestNamesItsKey() {
        KeyWindow window = new KeyWindow(TASK, 256);
        KeyEntry first = commit(window, key(0));
        KeyEntry entry = window.add(key(1), new Places(3));
        number++;
        Map<String, ?> early = window.offset(entry, number, false);
        Map<String, ?> last = window.offset(entry, number, true);
        assertThat(early).isEqualTo(last);

        committed.put(window.partition(entry), new HashMap<>(early));
        assertThat(successor(256).find(first.key().id())).isNotNull();
        assertThat(successor(256).find(key(1).id())).isNull();
        committed.put(window.partition(entry), new HashMap<>(last));
        assertThat(successor(256).find(key(1).id())).isNotNull();
    }

    @Test
    void anOffsetThatConnectHoldsDoesNotChange() {
        KeyWindow window = new KeyWindow(TASK, 256);
        KeyEntry first = window.add(key(0), settled((RecordMetadata) null));
        Map<String, ?> held = window.offset(first, 1, true);
        Map<String, Object> before = new HashMap<>(held);

        KeyEntry second = window.add(key(1), new Places(1));
        window.remove(first);
        for (int i = 2; i < 300; i++) {
            KeyEntry ignored = window.add(key(i), new Places(1));
        }

        assertThat(new HashMap<>(held)).isEqualTo(before);
        assertThat(second.index()).isEqualTo(1);
    }

    /** Connect finds an offset by the bytes of its source partition. */
    @Test
    void aPartitionAndAnOffsetHaveOneSpelling() {
        try (JsonConverter json = new JsonConverter()) {
            json.configure(Map.of("schemas.enable", "false"), true);
            KeyWindow window = new KeyWindow(TASK, 256);
            KeyEntry entry = window.add(key(0), new Places(1));
            byte[] partition = json.fromConnectData("offsets", null, window.partition(entry));
            assertThat(partition).asString().isEqualTo("{\"http\":3,\"window\":0}");
            Object asRead = json.toConnectData("offsets", partition).value();
            assertThat(json.fromConnectData("offsets", null, asRead))
                    .as("as a reset of the offsets spells it")
                    .isEqualTo(partition);
            assertThat(json.fromConnectData("offsets", null, window.offset(entry, 9, false)))
                    .asString()
                    .isEqualTo("{\"n\":9,\"keys\":\"\"}");
        }
    }

    @Test
    void aDroppedRequestLeavesTheWindowAndLaterOffsets() {
        KeyWindow window = new KeyWindow(TASK, 256);
        KeyEntry dropped = window.add(key(0), settled((RecordMetadata) null));
        assertThat(dropped.isDropped()).isTrue();
        window.remove(dropped);
        assertThat(window.find(key(0).id())).isNull();
        KeyEntry ignored = commit(window, key(1));

        KeyWindow successor = successor(256);
        assertThat(successor.find(key(0).id())).isNull();
        assertThat(successor.find(key(1).id())).isNotNull();
    }

    @Test
    void aRequestIsSettledWhenItsLastRecordIs() {
        Places places = new Places(2);
        KeyEntry entry = new KeyWindow(TASK, 256).add(key(0), places);
        assertThat(entry.isSettled()).isFalse();
        assertThat(places.settled(1, place(4, 9))).isFalse();
        assertThat(entry.isSettled()).isFalse();
        assertThat(places.settled(0, null)).isTrue();
        assertThat(entry.isSettled()).isTrue();
        assertThat(entry.isDropped()).isFalse();
        assertThat(entry.places().partition(1)).isEqualTo(4);
        assertThat(entry.places().offset(1)).isEqualTo(9);
    }

    @Test
    void offsetsThatAreNotOfTheWindowAreForgotten() {
        KeyWindow window = new KeyWindow(TASK, 256);
        KeyEntry entry = commit(window, key(0));
        for (Object keys : new Object[] {"***", "AAAA", 5}) {
            committed.put(window.partition(entry), Map.of("n", 1L, "keys", keys));
            number = 0;
            assertThat(successor(256).find(key(0).id())).isNull();
        }
    }

    private static RequestKey of(HttpEvent... events) {
        return RequestKey.of("p", "t", "k", List.of(events));
    }

    @Test
    void hashesTellPrincipalTopicAndKeyApart() {
        List<HttpEvent> events = List.of(event("a", "b", 1, 2L));
        RequestKey one = of(event("a", "b", 1, 2L));
        assertThat(RequestKey.of("p", "t", "k", events)).isEqualTo(one);
        assertThat(RequestKey.of("pt", "", "k", events).id()).isNotEqualTo(one.id());
        assertThat(RequestKey.of("p", "t", "l", events).id()).isNotEqualTo(one.id());
    }

    @Test
    void hashesTellEventsApart() {
        RequestKey one = of(event("a", "b", 1, 2L, "h"));
        List<RequestKey> others = List.of(
                of(event("a", "b", 1, 2L, "h"), event("a", "b", 1, 2L, "h")),
                of(event(null, "b", 1, 2L, "h")),
                of(event("", "b", 1, 2L, "h")),
                of(event("ab", "", 1, 2L, "h")),
                of(event("a", null, 1, 2L, "h")),
                of(event("a", "c", 1, 2L, "h")),
                of(event("a", "b", 0, 2L, "h")),
                of(event("a", "b", null, 2L, "h")),
                of(event("a", "b", 1, 3L, "h")),
                of(event("a", "b", 1, null, "h")),
                of(event("a", "b", 1, 2L)),
                of(event("a", "b", 1, 2L, "i")),
                of(event("a", "b", 1, 2L, "h", "h")));
        assertThat(others).doesNotContain(one).doesNotHaveDuplicates();
        assertThat(others).extracting(RequestKey::id).containsOnly(one.id());
    }

    @Test
    void theTraceOfAnAttemptDoesNotMakeAnotherRequest() {
        RequestKey one = of(event("a", "b", 1, 2L, "h"));
        assertThat(of(event("a", "b", 1, 2L, "h", "traceparent", "tracestate"))).isEqualTo(one);
    }
}
