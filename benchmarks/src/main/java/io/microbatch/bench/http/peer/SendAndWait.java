package io.microbatch.bench.http.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Sends each record and waits for the acknowledgement of all of them. Any number of threads. */
record SendAndWait(Producer<byte[], byte[]> producer) implements Sending {

    @Override
    public List<RecordMetadata> send(String topic, List<byte[]> values, long timeoutMs)
            throws ExecutionException, InterruptedException, TimeoutException {
        long untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        List<Future<RecordMetadata>> sent = new ArrayList<>(values.size());
        for (byte[] value : values) {
            sent.add(producer.send(new ProducerRecord<>(topic, value)));
        }
        List<RecordMetadata> places = new ArrayList<>(values.size());
        for (Future<RecordMetadata> each : sent) {
            places.add(each.get(Math.max(0, untilNanos - System.nanoTime()), TimeUnit.NANOSECONDS));
        }
        return places;
    }
}
