package io.microbatch.connect.upstream.synthetic;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.ack.CommitHorizon;
import io.microbatch.connect.ack.EventRun;
import io.microbatch.connect.bulk.BulkLimits;
import io.microbatch.connect.bulk.BulkReader;
import io.microbatch.connect.packing.PackedRuns;
import io.microbatch.connect.stripe.ByteStripeSet;
import io.microbatch.connect.upstream.ByteReader;
import io.microbatch.connect.upstream.ReaderGroup;
import io.microbatch.connect.upstream.UpstreamReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The generator's events as bytes: the same ones as its records, in the order of their source partition. */
@Timeout(60)
class SyntheticBytesTest {

    private static final long MS = 1_000_000;
    private static final int EVENTS = 3_000;
    private static final SyntheticEvent EVENT = new SyntheticEvent();

    @ParameterizedTest
    @CsvSource({"64,random,0", "40-200,random,0", "64,compressible,0", "40-200,compressible,5000", "41,random,700000"})
    void areTheEventsOfTheSeedWhateverTheRateAndTheSize(String size, String payload, String rate)
            throws InterruptedException {
        Map<String, String> config = new HashMap<>();
        config.put("upstream.type", "synthetic");
        config.put("upstream.synthetic.topic", "events");
        config.put("upstream.synthetic.partitions", "3");
        config.put("upstream.synthetic.events.per.partition", Integer.toString(EVENTS));
        config.put("upstream.synthetic.size.bytes", size);
        config.put("upstream.synthetic.payload", payload);
        config.put("upstream.synthetic.rate", rate);
        config.put("upstream.synthetic.seed", "11");

        Map<Integer, List<byte[]>> values = new TreeMap<>();
        for (SourceRecord record : generate(config)) {
            BulkReader reader = new BulkReader(BulkLimits.DEFAULT).read((byte[]) record.value());
            assertThat(record.topic()).isEqualTo("events");
            long last = -1;
            while (reader.next()) {
                byte[] value = reader.value();
                SyntheticEvent.Header header = EVENT.decode(value);
                assertThat(record.sourcePartition()).isEqualTo(Map.of("synthetic.partition", header.partition()));
                assertThat((byte[]) record.key()).endsWith((byte) header.partition());
                values.computeIfAbsent(header.partition(), p -> new ArrayList<>())
                        .add(value);
                assertThat(header.sequence())
                        .isEqualTo(values.get(header.partition()).size() - 1);
                byte[] alone = EVENT.encode(
                        11,
                        header.partition(),
                        header.sequence(),
                        header.intendedEpochNanos(),
                        value.length,
                        payload.equals("compressible"));
                assertThat(value).isEqualTo(alone);
                last = header.sequence();
            }
            assertThat(record.sourceOffset()).isEqualTo(Map.of("events", last + 1));
        }
        assertThat(values)
                .hasSize(3)
                .allSatisfy((partition, all) -> assertThat(all).hasSize(EVENTS));
    }

    private static List<SourceRecord> generate(Map<String, String> config) throws InterruptedException {
        SyntheticUpstream upstream = new SyntheticUpstream();
        upstream.start(config, null);
        Map<String, String> task = new HashMap<>(config);
        task.putAll(upstream.taskConfigs(1).get(0));
        // Every look at the clock is a millisecond later, so that no test waits for a rate.
        AtomicLong clock = new AtomicLong(77);
        LongSupplier nanoClock = () -> clock.addAndGet(MS);
        List<UpstreamReader> readers = SyntheticUpstream.readers(task, new StoredOffsets(Map.of()), 2, nanoClock);
        ByteStripeSet<EventRun> stripes =
                new ByteStripeSet<>(readers.size(), 1 << 14, PackedRuns.maxRunBytes(2_000), 64, System::nanoTime);
        PackedRuns packed = new PackedRuns(stripes, 2_000);
        ReaderGroup group = ReaderGroup.ofBytes(
                "t", readers.stream().map(ByteReader.class::cast).toList(), stripes, new CommitHorizon(0), nanoClock);
        List<SourceRecord> records = new ArrayList<>();
        group.start();
        while (packed.offeredTotal() - packed.sizeEvents() < 3 * EVENTS && group.failure() == null) {
            assertThat(stripes.await(1, 1L << 30, System.nanoTime() + 30_000 * MS))
                    .isNotNull();
            packed.drain((record, bytes) -> records.add(record), 1_000, 10_000);
        }
        group.stop(30_000);
        assertThat(group.failure()).isNull();
        return records;
    }
}
