package io.microbatch.bench.http.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;

/**
 * A transaction for all requests that wait: while one is committed, the requests of the next one gather (group commit).
 * It may wait for more of them after the first one, as PostgreSQL's {@code commit_delay} does. Then it also keeps a
 * distance from the transaction before it, whose markers the broker may still be writing. Each producer has a thread of
 * its own that commits, so that one may gather while another one commits. Any number of threads send.
 */
final class GroupTransactions implements Sending, Submitting {

    private final int gatherMs;
    private final BlockingQueue<Waiting> queue = new LinkedBlockingQueue<>();

    /** A request without an answer. */
    private record Waiting(String topic, List<byte[]> values, CompletableFuture<List<RecordMetadata>> places) {}

    private GroupTransactions(int gatherMs) {
        this.gatherMs = gatherMs;
    }

    /**
     * Starts the threads that commit. They end with the process.
     *
     * @param producers what commits, each its own transactions
     * @param gatherMs how long a transaction waits for more requests after its first one, in milliseconds
     */
    static GroupTransactions start(List<? extends Producer<byte[], byte[]>> producers, int gatherMs) {
        GroupTransactions transactions = new GroupTransactions(gatherMs);
        for (Producer<byte[], byte[]> producer : producers) {
            Thread committing = new Thread(() -> transactions.commitForEver(producer), "commit");
            committing.setDaemon(true);
            committing.start();
        }
        return transactions;
    }

    @Override
    public CompletableFuture<List<RecordMetadata>> submit(String topic, List<byte[]> values) {
        Waiting request = new Waiting(topic, values, new CompletableFuture<>());
        queue.add(request);
        return request.places;
    }

    @Override
    public List<RecordMetadata> send(String topic, List<byte[]> values, long timeoutMs)
            throws ExecutionException, InterruptedException, TimeoutException {
        return submit(topic, values).get(timeoutMs, TimeUnit.MILLISECONDS);
    }

    private void commitForEver(Producer<byte[], byte[]> producer) {
        try {
            while (true) {
                List<Waiting> group = new ArrayList<>();
                group.add(queue.take());
                TimeUnit.MILLISECONDS.sleep(gatherMs);
                int ignored = queue.drainTo(group);
                commit(producer, group);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void commit(Producer<byte[], byte[]> producer, List<Waiting> group) throws InterruptedException {
        try {
            producer.beginTransaction();
            List<List<Future<RecordMetadata>>> sent = new ArrayList<>(group.size());
            for (Waiting request : group) {
                List<Future<RecordMetadata>> records = new ArrayList<>(request.values.size());
                for (byte[] value : request.values) {
                    records.add(producer.send(new ProducerRecord<>(request.topic, value)));
                }
                sent.add(records);
            }
            producer.commitTransaction();
            for (int i = 0; i < group.size(); i++) {
                List<RecordMetadata> places = new ArrayList<>(sent.get(i).size());
                for (Future<RecordMetadata> each : sent.get(i)) {
                    places.add(each.get());
                }
                boolean ignored = group.get(i).places.complete(places);
            }
        } catch (KafkaException | ExecutionException e) {
            group.forEach(request -> request.places.completeExceptionally(e));
            // The next group needs a producer without a transaction.
            producer.abortTransaction();
        }
    }
}
