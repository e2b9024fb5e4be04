package io.microbatch.bench.outbox.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** How a relay sends the rows that it has claimed. */
public enum Sending {
    /** Each record alone: the next one is sent when Kafka has this one. */
    SEND_AND_WAIT {
        @Override
        void send(Producer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> records)
                throws ExecutionException, InterruptedException {
            for (ProducerRecord<byte[], byte[]> record : records) {
                RecordMetadata ignored = producer.send(record).get();
            }
        }
    },
    /** All of them, then one flush, then the outcome of each. */
    FIRE_FLUSH_AWAIT {
        @Override
        void send(Producer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> records)
                throws ExecutionException, InterruptedException {
            List<Future<RecordMetadata>> sent = new ArrayList<>(records.size());
            for (ProducerRecord<byte[], byte[]> record : records) {
                sent.add(producer.send(record));
            }
            producer.flush();
            for (Future<RecordMetadata> each : sent) {
                RecordMetadata ignored = each.get();
            }
        }
    };

    /** As results and the relay's requests have it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns when Kafka has all records. */
    abstract void send(Producer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> records)
            throws ExecutionException, InterruptedException;
}
