package io.microbatch.bench.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.rows.LiveConsumer;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.Broker;
import io.microbatch.testbed.TestbedHome;
import io.microbatch.testbed.Topics;
import io.microbatch.testbed.WorkDirectory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** What the consumer of {@code bench cdc} makes of change events in a topic. */
class LiveConsumerIT {

    private static final int PARTITIONS = 2;
    private static final long MINUTE_MICROS = 60_000_000;

    @Test
    void countsEveryEventAndTimesEachFromItsCommit() {
        try (WorkDirectory work = WorkDirectory.create("live-it");
                Broker broker = Broker.start(TestbedHome.locate(), work.path())) {
            new Topics(broker.bootstrapServers()).create(List.of("rows"), PARTITIONS);
            long nowMicros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
            LiveConsumer consumer =
                    new LiveConsumer(broker.bootstrapServers(), "rows", PARTITIONS, 2, ChangeEvent::origin);
            try (consumer;
                    KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                            Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers()),
                            new ByteArraySerializer(),
                            new ByteArraySerializer())) {
                send(producer, 0, nowMicros / 1_000, row(1, 0, nowMicros - MINUTE_MICROS));
                send(producer, 1, nowMicros / 1_000, row(2, 0, nowMicros - MINUTE_MICROS));
                send(producer, 1, nowMicros / 1_000, row(2, 0, nowMicros - MINUTE_MICROS));
                send(producer, 0, nowMicros / 1_000, "no change event");
                // A clock that was set back meanwhile, and a phase that nobody asked for.
                send(producer, 0, nowMicros / 1_000, row(3, 1, nowMicros + 10 * MINUTE_MICROS));
                send(producer, 0, nowMicros / 1_000, row(4, 7, nowMicros));
                // Got by Kafka after the first one of its phase had come here.
                Object ignored = producer.send(new ProducerRecord<>(
                        "rows", 0, nowMicros / 1_000 + 600_000, null, bytes(row(5, 1, nowMicros + MINUTE_MICROS))));
                producer.flush();
                Await.until(
                        "six change events",
                        Duration.ofSeconds(60),
                        () -> consumer.received() >= 6,
                        () -> consumer.received() + " seen");
                assertThat(consumer.interval().getTotalCount()).isEqualTo(6);
            }

            assertThat(consumer.received()).isEqualTo(6);
            assertThat(consumer.phase(0).getTotalCount())
                    .as("the duplicate again")
                    .isEqualTo(3);
            assertThat(consumer.phase(0).getMinValue()).isGreaterThan((long) (0.99 * MINUTE_MICROS));
            assertThat(consumer.phase(1).getTotalCount()).isEqualTo(2);
            assertThat(consumer.phase(1).getMaxValue()).isZero();
            assertThat(consumer.perSecAfterFirst(0)).as("all had come").isNaN();
            assertThat(consumer.perSecAfterFirst(1)).isPositive().isFinite();
            assertThat(consumer.lastMicros(1)).isGreaterThanOrEqualTo(nowMicros);
        }
    }

    /** Nobody knows how long the first transaction took: with its rows a source of large ones would look faster. */
    @Test
    void theRateOfABacklogIsWithoutTheRowsThatKafkaHadWhenTheFirstOneCame() {
        int first = 5_000;
        long cameMicros;
        try (WorkDirectory work = WorkDirectory.create("live-it");
                Broker broker = Broker.start(TestbedHome.locate(), work.path())) {
            new Topics(broker.bootstrapServers()).create(List.of(CdcStack.topic("rows")));
            LiveConsumer consumer = new LiveConsumer(
                    broker.bootstrapServers(), "rows", CdcStack.PARTITION_COUNT, 1, ChangeEvent::origin);
            try (consumer;
                    KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                            Map.of(
                                    ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                                    broker.bootstrapServers(),
                                    ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                                    "rows"),
                            new ByteArraySerializer(),
                            new ByteArraySerializer())) {
                producer.initTransactions();
                commit(producer, first);
                await(consumer, first);
                // The brokers' time has milliseconds.
                long cameMs = System.currentTimeMillis();
                cameMicros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
                assertThat(Await.reached(Duration.ofSeconds(60), () -> System.currentTimeMillis() > cameMs))
                        .isTrue();
                commit(producer, 1);
                await(consumer, first + 1);
            }
            assertThat(CdcRun.backlogPerSec(consumer, 0))
                    .as("one row, over a longer time than since all others had come")
                    .isPositive()
                    .isLessThanOrEqualTo(1e6 / (consumer.lastMicros(0) - cameMicros));
        }
    }

    private static void commit(KafkaProducer<byte[], byte[]> producer, int rows) {
        producer.beginTransaction();
        for (int id = 0; id < rows; id++) {
            // Their own time is that of their writing, long before.
            Object ignored = producer.send(
                    new ProducerRecord<>("rows", id % CdcStack.PARTITION_COUNT, 1L, null, bytes(row(id, 0, 1))));
        }
        producer.commitTransaction();
    }

    private static void await(LiveConsumer consumer, int rows) {
        Await.until(
                rows + " rows",
                Duration.ofSeconds(60),
                () -> consumer.received() >= rows,
                () -> consumer.received() + " seen");
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, int partition, long sentMs, String value) {
        // All of one time: a producer that was held up would make the third later than the first one's arrival.
        Object ignored = producer.send(new ProducerRecord<>("rows", partition, sentMs, null, bytes(value)));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String row(int id, int phase, long commitMicros) {
        return "{\"op\":\"c\",\"source\":{\"ts_us\":" + commitMicros + "},\"after\":{\"id\":" + id
                + ",\"account\":1,\"seq\":" + id + ",\"phase\":" + phase + ",\"payload\":\"p\"}}";
    }
}
