package io.microbatch.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/** What {@code bench faults --full} does to three brokers at once. */
class BrokerClusterIT {

    private static final String TOPIC = "replicated";

    @Test
    void comesBackWithItsRecordsAfterAllNodesWereKilled()
            throws ExecutionException, InterruptedException, TimeoutException {
        try (WorkDirectory work = WorkDirectory.create("broker-cluster-it");
                BrokerCluster cluster = BrokerCluster.start(TestbedHome.locate(), work.path(), List.of(), Map.of())) {
            new Topics(cluster.bootstrapServers()).create(List.of(TOPIC), 1);
            write(cluster, "before");
            cluster.nodes().forEach(Broker::kill);
            assertThat(cluster.nodes()).noneMatch(Broker::isAlive);

            BrokerCluster.restartAll(cluster.nodes());

            assertThat(cluster.nodes()).allMatch(Broker::isAlive);
            write(cluster, "after");
            assertThat(new TopicReader(cluster.bootstrapServers()).readCommitted(TOPIC))
                    .extracting(record -> new String(record.value(), StandardCharsets.UTF_8))
                    .containsExactly("before", "after");
        }
    }

    private static void write(BrokerCluster cluster, String value)
            throws ExecutionException, InterruptedException, TimeoutException {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", cluster.bootstrapServers(), "acks", "all", "delivery.timeout.ms", (int)
                        Duration.ofMinutes(4).toMillis()),
                new StringSerializer(),
                new StringSerializer())) {
            Object ignored = producer.send(new ProducerRecord<>(TOPIC, value)).get(5, TimeUnit.MINUTES);
        }
    }
}
