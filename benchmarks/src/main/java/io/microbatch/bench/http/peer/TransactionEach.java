package io.microbatch.bench.http.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;

/**
 * A transaction for each request. A producer has one transaction at a time, so the requests wait for each other. Any
 * number of threads.
 */
final class TransactionEach implements Sending {

    private final Producer<byte[], byte[]> producer;

    /** In the order of arrival: an unfair lock would let requests starve. */
    private final ReentrantLock turn = new ReentrantLock(true);

    TransactionEach(Producer<byte[], byte[]> producer) {
        this.producer = producer;
    }

    @Override
    public List<RecordMetadata> send(String topic, List<byte[]> values, long timeoutMs)
            throws ExecutionException, InterruptedException, RefusedException {
        if (!turn.tryLock(timeoutMs, TimeUnit.MILLISECONDS)) {
            throw new RefusedException("the requests before it take too long");
        }
        try {
            return commit(topic, values);
        } finally {
            turn.unlock();
        }
    }

    private List<RecordMetadata> commit(String topic, List<byte[]> values)
            throws ExecutionException, InterruptedException {
        producer.beginTransaction();
        try {
            List<Future<RecordMetadata>> sent = new ArrayList<>(values.size());
            for (byte[] value : values) {
                sent.add(producer.send(new ProducerRecord<>(topic, value)));
            }
            producer.commitTransaction();
            List<RecordMetadata> places = new ArrayList<>(values.size());
            for (Future<RecordMetadata> each : sent) {
                places.add(each.get());
            }
            return places;
        } catch (KafkaException e) {
            // The next request needs a producer without a transaction.
            producer.abortTransaction();
            throw e;
        }
    }
}
