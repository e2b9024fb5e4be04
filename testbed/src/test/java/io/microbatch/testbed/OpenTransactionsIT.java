package io.microbatch.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class OpenTransactionsIT {

    private static final String TOPIC = "left-open";

    @Test
    void abortsTheTransactionsOfOneGroup() {
        try (WorkDirectory work = WorkDirectory.create("open-it");
                Broker broker = Broker.start(TestbedHome.locate(), work.path());
                KafkaProducer<byte[], byte[]> task = open(broker, "killed-orders-0", 0);
                KafkaProducer<byte[], byte[]> leader = open(broker, "connect-cluster-killed", 1);
                KafkaProducer<byte[], byte[]> other = open(broker, "killed2-orders-0", 2)) {
            assertThat(OpenTransactions.abort(broker.bootstrapServers(), "killed"))
                    .containsExactly("connect-cluster-killed", "killed-orders-0");

            other.commitTransaction();
            assertThat(committed(broker)).as("nothing before it is open").containsExactly(2);
            assertThatThrownBy(task::commitTransaction).isInstanceOf(KafkaException.class);
            assertThatThrownBy(leader::commitTransaction).isInstanceOf(KafkaException.class);
            assertThat(OpenTransactions.abort(broker.bootstrapServers(), "killed"))
                    .as("once")
                    .isEmpty();
        }
    }

    private static KafkaProducer<byte[], byte[]> open(Broker broker, String id, int value) {
        KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "transactional.id", id),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        producer.initTransactions();
        producer.beginTransaction();
        Object ignored = producer.send(new ProducerRecord<>(TOPIC, new byte[] {(byte) value}));
        producer.flush();
        return producer;
    }

    private static List<Integer> committed(Broker broker) {
        List<Integer> values = new ArrayList<>();
        new TopicReader(broker.bootstrapServers()).readCommitted(TOPIC, record -> values.add((int) record.value()[0]));
        return values;
    }
}
