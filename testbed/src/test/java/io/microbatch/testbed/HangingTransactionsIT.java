package io.microbatch.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The test leaves a transaction open. For the broker this equals a transaction whose markers were never written. */
class HangingTransactionsIT {

    private static final String TOPIC = "withheld";
    private static final long LONGER_THAN_THE_TEST_MS = Duration.ofHours(1).toMillis();

    private WorkDirectory work;
    private Broker broker;

    @BeforeEach
    void startBroker() {
        work = WorkDirectory.create("hanging-it");
        broker = Broker.start(TestbedHome.locate(), work.path());
    }

    @AfterEach
    void stopBroker() {
        broker.close();
        work.close();
    }

    @Test
    void abortsTheTransactionThatBlocksReadersAndNoYoungerOne() {
        try (KafkaProducer<byte[], byte[]> hanging = producer("hanging");
                KafkaProducer<byte[], byte[]> other = producer("other")) {
            hanging.beginTransaction();
            send(hanging, 1);
            other.beginTransaction();
            send(other, 2);
            other.commitTransaction();
            assertThat(committed()).as("after an open transaction").isEmpty();

            assertThat(HangingTransactions.abort(broker.bootstrapServers(), List.of(TOPIC), LONGER_THAN_THE_TEST_MS))
                    .isEmpty();
            assertThat(committed()).isEmpty();

            List<TopicPartition> aborted = new ArrayList<>();
            Await.until(
                    "the transaction is older than a millisecond",
                    Duration.ofSeconds(30),
                    () -> aborted.addAll(HangingTransactions.abort(broker.bootstrapServers(), List.of(TOPIC), 1)),
                    aborted::toString);
            assertThat(aborted).containsExactly(new TopicPartition(TOPIC, 0));
            assertThat(committed()).containsExactly(2);
            assertThat(HangingTransactions.abort(broker.bootstrapServers(), List.of(TOPIC), 1))
                    .as("once")
                    .isEmpty();
        }
    }

    private KafkaProducer<byte[], byte[]> producer(String id) {
        KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "transactional.id", id),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        producer.initTransactions();
        return producer;
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, int value) {
        Object ignored = producer.send(new ProducerRecord<>(TOPIC, new byte[] {(byte) value}));
        producer.flush();
    }

    private List<Integer> committed() {
        List<Integer> values = new ArrayList<>();
        new TopicReader(broker.bootstrapServers()).readCommitted(TOPIC, record -> values.add((int) record.value()[0]));
        return values;
    }
}
