package io.microbatch.connect.upstream.synthetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.ack.DurableWatermark;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.stripe.StripeSet;
import io.microbatch.connect.upstream.ReaderGroup;
import io.microbatch.connect.upstream.RecordConversion;
import io.microbatch.connect.upstream.UpstreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.ConnectorTransactionBoundaries;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class SyntheticUpstreamTest {

    private static final long MS = 1_000_000;
    private static final SyntheticEvent EVENT = new SyntheticEvent();

    private final SyntheticUpstream upstream = new SyntheticUpstream();

    private static Map<String, String> config(String... more) {
        Map<String, String> config =
                new HashMap<>(Map.of("upstream.type", "synthetic", "upstream.synthetic.topic", "events"));
        for (int i = 0; i < more.length; i += 2) {
            config.put("upstream.synthetic." + more[i], more[i + 1]);
        }
        return config;
    }

    /** All events of these tasks, with at most {@code limit} readers per task, until every source partition ends. */
    private List<EventRecord> generate(
            Map<String, String> config, int tasks, int limit, int expected, Map<Map<String, ?>, Map<String, Object>> at)
            throws InterruptedException {
        upstream.start(config, null);
        List<EventRecord> events = new ArrayList<>();
        for (Map<String, String> share : upstream.taskConfigs(tasks)) {
            Map<String, String> task = new HashMap<>(config);
            task.putAll(share);
            // Every reading of the clock is a millisecond later, so that no test waits for a rate.
            AtomicLong clock = new AtomicLong(77);
            LongSupplier nanoClock = () -> clock.addAndGet(MS);
            List<UpstreamReader> readers = SyntheticUpstream.readers(task, new StoredOffsets(at), limit, nanoClock);
            int before = events.size();
            int ofThisTask = expected / upstream.taskConfigs(tasks).size();
            StripeSet<EventRecord> stripes = new StripeSet<>(readers.size(), 1 << 16, 1L << 30, System::nanoTime);
            ReaderGroup group = new ReaderGroup(
                    "t", readers, () -> RecordConversion.NONE, stripes, new DurableWatermark(0), nanoClock);
            group.start();
            while (events.size() - before < ofThisTask && group.failure() == null) {
                long guard = System.nanoTime() + 30_000 * MS;
                assertThat(stripes.await(1, 1L << 30, guard, guard)).isNotNull();
                assertThat(stripes.drain((event, size) -> events.add(event), 1 << 16, 1L << 30, (a, b) -> false))
                        .isNotNegative();
            }
            group.stop(30_000);
            stripes.drain((event, size) -> events.add(event), 1 << 16, 1L << 30, (a, b) -> false);
            assertThat(group.failure()).isNull();
        }
        return events;
    }

    private static Map<Integer, List<Long>> sequences(List<EventRecord> events) {
        Map<Integer, List<Long>> sequences = new TreeMap<>();
        events.forEach(event -> {
            SyntheticEvent.Header header = EVENT.decode((byte[]) event.value());
            assertThat(event.sourcePartition()).isEqualTo(Map.of("synthetic.partition", header.partition()));
            assertThat(event.sourceOffset()).isEqualTo(Map.of("events", header.sequence() + 1));
            assertThat(event.timestamp()).isEqualTo(header.intendedEpochNanos() / MS);
            sequences
                    .computeIfAbsent(header.partition(), p -> new ArrayList<>())
                    .add(header.sequence());
        });
        return sequences;
    }

    @ParameterizedTest
    @CsvSource({"1,1,1", "7,1,2", "7,3,1", "7,3,2", "4,9,2", "10,4,64"})
    void assignsEverySourcePartitionOnceForAnyTasksAndReaders(int partitions, int tasks, int limit) {
        Map<String, String> config = config("partitions", Integer.toString(partitions));
        upstream.start(config, null);
        List<Map<String, String>> shares = upstream.taskConfigs(tasks);
        assertThat(shares).hasSize(Math.min(tasks, partitions));

        List<Integer> dealt = new ArrayList<>();
        for (Map<String, String> share : shares) {
            config.putAll(share);
            List<UpstreamReader> readers =
                    SyntheticUpstream.readers(config, new StoredOffsets(Map.of()), limit, () -> 0);
            assertThat(readers).hasSizeBetween(1, limit);
            readers.forEach(reader -> dealt.addAll(((SyntheticReader) reader).numbers()));
        }
        Collections.sort(dealt);
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            all.add(i);
        }
        assertThat(dealt).isEqualTo(all);
    }

    @Test
    void generatesEachSourcePartitionFromItsFirstEventToItsLast() throws InterruptedException {
        List<EventRecord> events = generate(
                config("partitions", "4", "events.per.partition", "25", "rate", "100000"), 2, 2, 100, Map.of());
        Map<Integer, List<Long>> sequences = sequences(events);
        assertThat(sequences).containsOnlyKeys(0, 1, 2, 3);
        assertThat(sequences.values()).allSatisfy(each -> {
            assertThat(each).hasSize(25).isSorted().doesNotHaveDuplicates();
            assertThat(each.get(0)).isZero();
            assertThat(each.get(24)).isEqualTo(24);
        });
    }

    @Test
    void continuesExactlyAfterTheCommittedOffset() throws InterruptedException {
        Map<Map<String, ?>, Map<String, Object>> committed = Map.of(
                Map.of("synthetic.partition", 0), Map.of("events", 7L),
                Map.of("synthetic.partition", 1), Map.of("events", 20L));
        List<EventRecord> events = generate(
                config("partitions", "3", "events.per.partition", "20", "rate", "100000"), 1, 1, 33, committed);
        Map<Integer, List<Long>> sequences = sequences(events);
        assertThat(sequences).containsOnlyKeys(0, 2);
        assertThat(sequences.get(0)).first().isEqualTo(7L);
        assertThat(sequences.get(0)).hasSize(13);
        assertThat(sequences.get(2)).hasSize(20);
    }

    @Test
    void replaysTheSameBytesExceptForTheTime() throws InterruptedException {
        Map<String, String> config =
                config("partitions", "2", "events.per.partition", "30", "rate", "0", "size.bytes", "40-400");
        Map<String, byte[]> first = byPlace(generate(config, 1, 1, 60, Map.of()));
        Map<String, byte[]> second = byPlace(generate(config, 1, 2, 60, Map.of()));
        config.put("upstream.synthetic.seed", "2");
        Map<String, byte[]> other = byPlace(generate(config, 1, 1, 60, Map.of()));

        assertThat(first).hasSize(60);
        assertThat(second.keySet()).isEqualTo(first.keySet());
        first.forEach((place, bytes) -> assertThat(second.get(place)).as(place).isEqualTo(bytes));
        assertThat(other.keySet()).isEqualTo(first.keySet());
        assertThat(first)
                .allSatisfy((place, bytes) ->
                        assertThat(Arrays.equals(other.get(place), bytes)).isFalse());
    }

    /** The values without their intended time and the header's checksum, which depends on it. */
    private static Map<String, byte[]> byPlace(List<EventRecord> events) {
        Map<String, byte[]> bytes = new TreeMap<>();
        events.forEach(event -> {
            byte[] value = ((byte[]) event.value()).clone();
            Arrays.fill(value, 24, 32, (byte) 0);
            Arrays.fill(value, 36, 40, (byte) 0);
            bytes.put(event.sourcePartition() + "@" + event.sourceOffset(), value);
        });
        return bytes;
    }

    @Test
    void spacesTheConnectorsEventsEvenlyForAnySourcePartitions() throws InterruptedException {
        List<EventRecord> events =
                generate(config("partitions", "5", "events.per.partition", "20", "rate", "500"), 1, 1, 100, Map.of());
        List<Long> due = new ArrayList<>();
        events.forEach(event -> due.add(EVENT.decode((byte[]) event.value()).intendedEpochNanos()));
        Collections.sort(due);
        for (int i = 1; i < due.size(); i++) {
            assertThat(due.get(i) - due.get(i - 1)).isEqualTo(2 * MS);
        }
    }

    @Test
    void distributesTheSourcePartitionsOverTheTopics() throws InterruptedException {
        List<EventRecord> events = generate(
                config("topics", "2", "partitions", "3", "events.per.partition", "5", "rate", "0"), 1, 1, 15, Map.of());
        Map<Integer, String> topics = new TreeMap<>();
        events.forEach(event -> topics.put(EVENT.decode((byte[]) event.value()).partition(), event.topic()));
        assertThat(topics).isEqualTo(Map.of(0, "events-0", 1, "events-1", 2, "events-0"));
    }

    @Test
    void keepsABacklogOfEventsThatBecameDueWhileNoTaskRan() throws InterruptedException {
        long startEpochMs = System.currentTimeMillis() - 60_000;
        Map<Map<String, ?>, Map<String, Object>> committed =
                Map.of(Map.of("synthetic.partition", 0), Map.of("events", 7L));
        List<EventRecord> events = generate(
                config("events.per.partition", "20", "rate", "10", "start.epoch.ms", Long.toString(startEpochMs)),
                1,
                1,
                13,
                committed);
        assertThat(events.stream().map(event -> EVENT.decode((byte[]) event.value())))
                .extracting(SyntheticEvent.Header::intendedEpochNanos)
                .first()
                .isEqualTo((startEpochMs + 700) * MS);
        assertThat(sequences(events).get(0)).first().isEqualTo(7L);
    }

    @Test
    void refusesToContinueAtAForeignOffset() {
        upstream.start(config(), null);
        Map<String, String> task = config();
        task.putAll(upstream.taskConfigs(1).get(0));
        Map<Map<String, ?>, Map<String, Object>> committed =
                Map.of(Map.of("synthetic.partition", 0), Map.of("lsn", 7L));
        UpstreamReader reader = SyntheticUpstream.readers(task, new StoredOffsets(committed), 1, () -> 0)
                .get(0);
        assertThatThrownBy(reader::start)
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("no number 'events'")
                .hasMessageContaining("reset");
    }

    @Test
    void acceptsOffsetsThatItCouldHaveWritten() {
        Map<Map<String, ?>, Map<String, ?>> offsets = new HashMap<>();
        offsets.put(Map.of("synthetic.partition", 3L), Map.of("events", 0));
        offsets.put(Map.of("synthetic.partition", 4L), null);
        assertThat(upstream.alterOffsets(config(), offsets)).isTrue();
    }

    @Test
    void saysWhatAnOffsetHereIs() {
        refuses(
                Map.of("topic", 1),
                Map.of("events", 1),
                "A source partition of the generator is {\"synthetic.partition\"");
        refuses(Map.of("synthetic.partition", "1"), Map.of("events", 1), "A source partition of the generator is");
        refuses(Map.of("synthetic.partition", 1, "x", 2), Map.of("events", 1), "and nothing else");
        refuses(Map.of("synthetic.partition", 1), Map.of("events", -1), "An offset of the generator is {\"events\"");
        refuses(Map.of("synthetic.partition", 1), Map.of("events", "1"), "An offset of the generator is");
        refuses(Map.of("synthetic.partition", 1), Map.of("events", 1, "x", 2), "An offset of the generator is");
        refuses(Map.of("synthetic.partition", 1), Map.of(), "An offset of the generator is");
    }

    @Test
    void removesWhateverIsStored() {
        Map<Map<String, ?>, Map<String, ?>> offsets = new HashMap<>();
        offsets.put(Map.of("server", "shop"), null);
        assertThat(upstream.alterOffsets(config(), offsets)).isTrue();
    }

    private void refuses(Map<String, ?> partition, Map<String, ?> offset, String message) {
        assertThatThrownBy(() -> upstream.alterOffsets(config(), Map.of(partition, offset)))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining(message);
    }

    @Test
    void promisesExactlyOnceWithoutBoundariesOfItsOwn() {
        assertThat(upstream.exactlyOnceSupport(config())).isEqualTo(ExactlyOnceSupport.SUPPORTED);
        assertThat(upstream.canDefineTransactionBoundaries(config()))
                .isEqualTo(ConnectorTransactionBoundaries.UNSUPPORTED);
    }
}
