package io.microbatch.bench.producer;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.Broker;
import io.microbatch.testbed.TestbedHome;
import io.microbatch.testbed.Topics;
import io.microbatch.testbed.WorkDirectory;
import io.microbatch.testbed.oracle.Findings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a producer sent is read back and counted, and a topic that holds anything else is not verified. */
class SendRunIT {

    private static final int EVENTS = 300;

    private static WorkDirectory work;
    private static Broker broker;

    private final Payload payload = new Payload(Payload.Kind.RANDOM);

    @BeforeAll
    static void start() {
        work = WorkDirectory.create("producer-it");
        broker = Broker.start(TestbedHome.locate(), work.path());
    }

    @AfterAll
    static void stop() {
        broker.close();
        work.close();
    }

    @ParameterizedTest
    @CsvSource({
        "NAIVE, TRANSACTIONAL, 30",
        "FIRE_FLUSH_AWAIT_50, ACKS_ALL, 300",
        "FIRE_FLUSH_AWAIT_100, TRANSACTIONAL, 250",
        "BULK, ACKS_1, 20000",
        "BULK, ACKS_0, 20000",
        "MEGA, TRANSACTIONAL, 20000"
    })
    void sendsAsManyAsItSaysOnceAndInOrder(SendMode mode, Guarantee guarantee, int events) {
        String topic = "sent-" + mode.text() + "-" + guarantee.text();
        create(topic);
        SendRun.Sent sent =
                new SendRun(topic, mode, guarantee, payload).send(broker.bootstrapServers(), 60_000, events);

        assertThat(sent.events()).isEqualTo(events);
        assertThat(sent.sendNanos()).isPositive();
        assertThat(sent.sustainedNanos()).isGreaterThanOrEqualTo(sent.sendNanos());
        if (guarantee.isTransactional()) {
            assertThat(sent.transactionalNanos()).isGreaterThanOrEqualTo(sent.sustainedNanos());
        } else {
            assertThat(sent.transactionalNanos()).isZero();
        }
        assertThat(ReadBack.check(broker.bootstrapServers(), topic, events).isExactlyOnce())
                .isTrue();
    }

    @Test
    void countsEventsAndRecordsBeforeAMark() {
        create("marked");
        SendRun.Sent sent = new SendRun("marked", SendMode.BULK, Guarantee.ACKS_ALL, payload)
                .send(broker.bootstrapServers(), 60_000, 3_000);
        ReadBack back = new ReadBack((int) sent.events(), ReadBack.side(Payload.EVENT_BYTES));
        back.mark(2);

        assertThat(back.read(broker.bootstrapServers(), "marked").isExactlyOnce())
                .isTrue();
        assertThat(back.records()).isEqualTo(3);
        assertThat(back.lastOffset()).isEqualTo(2);
        assertThat(back.eventsBeforeMark()).isEqualTo(2_000);
    }

    @Test
    void seesADoubledTailADuplicateAChangeOfPlacesAndAnAlteredByte() throws InterruptedException, ExecutionException {
        Findings doubledTail = readBack("doubled-tail", sequence(EVENTS, EVENTS - 1));
        assertThat(doubledTail.duplicated()).isEqualTo(1);
        assertThat(doubledTail.isExactlyOnce()).isFalse();

        int[] swapped = sequence(EVENTS);
        swapped[10] = 11;
        swapped[11] = 10;
        assertThat(readBack("swapped", swapped).reordered()).isEqualTo(1);

        int[] dropped = sequence(EVENTS);
        dropped[10] = 9;
        Findings lossAndDuplicate = readBack("dropped", dropped);
        assertThat(lossAndDuplicate.lost()).isEqualTo(1);
        assertThat(lossAndDuplicate.duplicated()).isEqualTo(1);

        int[] altered = sequence(EVENTS);
        altered[10] = ALTERED;
        Findings unreadable = readBack("altered", altered);
        assertThat(unreadable.corrupt()).isEqualTo(1);
        assertThat(unreadable.lost()).isEqualTo(1);
    }

    private static final int ALTERED = -1;

    private static int[] sequence(int events, int... more) {
        return IntStream.concat(IntStream.range(0, events), Arrays.stream(more)).toArray();
    }

    private Findings readBack(String topic, int[] sequence) throws InterruptedException, ExecutionException {
        create(topic);
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int number : sequence) {
                byte[] value = payload.record(Math.max(0, number), 1);
                if (number == ALTERED) {
                    value[50] ^= 1;
                }
                sent.add(producer.send(new ProducerRecord<>(topic, 0, null, value)));
            }
        }
        // What was not sent is no finding.
        for (Future<RecordMetadata> each : sent) {
            assertThat(each.get().offset()).isNotNegative();
        }
        return ReadBack.check(broker.bootstrapServers(), topic, EVENTS);
    }

    private static void create(String topic) {
        new Topics(broker.bootstrapServers()).create(List.of(topic), 1);
    }
}
