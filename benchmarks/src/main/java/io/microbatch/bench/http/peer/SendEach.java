package io.microbatch.bench.http.peer;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Sends each record. The producer's callbacks count those of a request, which has at least one. */
record SendEach(Producer<byte[], byte[]> producer) implements Submitting {

    @Override
    public CompletableFuture<List<RecordMetadata>> submit(String topic, List<byte[]> values) {
        CompletableFuture<List<RecordMetadata>> answer = new CompletableFuture<>();
        RecordMetadata[] places = new RecordMetadata[values.size()];
        AtomicInteger missing = new AtomicInteger(places.length);
        for (int i = 0; i < places.length; i++) {
            int index = i;
            Future<RecordMetadata> ignored =
                    producer.send(new ProducerRecord<>(topic, values.get(i)), (place, failure) -> {
                        if (failure != null) {
                            answer.completeExceptionally(failure);
                            return;
                        }
                        places[index] = place;
                        if (missing.decrementAndGet() == 0) {
                            answer.complete(Arrays.asList(places));
                        }
                    });
        }
        return answer;
    }
}
