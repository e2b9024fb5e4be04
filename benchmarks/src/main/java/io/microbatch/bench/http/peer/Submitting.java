package io.microbatch.bench.http.peer;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.RecordMetadata;

/** How the records of a request get into Kafka while no thread waits. Any number of threads. */
interface Submitting {

    /**
     * Begins to send all records of a request.
     *
     * @return where the records are, in their order, when Kafka has all of them; it is completed on a thread that is
     *     needed for the next requests
     */
    CompletableFuture<List<RecordMetadata>> submit(String topic, List<byte[]> values);
}
