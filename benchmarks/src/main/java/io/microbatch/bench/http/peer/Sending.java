package io.microbatch.bench.http.peer;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.RecordMetadata;

/** How the records of a request get into Kafka while its thread waits. Called on the threads of the requests. */
interface Sending {

    /**
     * Sends all records of a request and waits for them.
     *
     * @param timeoutMs how long the request may take
     * @return where the records are, in their order
     * @throws ExecutionException if the send failed
     * @throws InterruptedException if the server stops
     * @throws RefusedException if nothing was sent
     * @throws TimeoutException if it is not known in time whether they are there
     */
    List<RecordMetadata> send(String topic, List<byte[]> values, long timeoutMs)
            throws ExecutionException, InterruptedException, TimeoutException, RefusedException;

    /** Nothing of the request is in Kafka. */
    final class RefusedException extends Exception {

        private static final long serialVersionUID = 1L;

        RefusedException(String message) {
            super(message);
        }
    }
}
