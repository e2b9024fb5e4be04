package io.microbatch.testbed.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;
import org.apache.kafka.connect.source.TransactionContext;

/**
 * Reads one queue. It accepts calls of {@code commitRecord} and {@code commit} on any thread. Its queue never delivers
 * acknowledged messages again.
 */
public final class ReferenceTask extends SourceTask {

    private static final long POLL_WAIT_MS = 200;

    /** Of five polls the first fails, and the second and third return nothing. */
    private static final int DISTURBED_CYCLE = 5;

    private ReferenceSettings settings;
    private RecordShapes shapes;
    private QueueClient queue;
    private CountDownLatch batch = new CountDownLatch(0);
    private long polls;
    private boolean transactionOpen;
    private volatile long polledThrough = -1;
    private volatile boolean firstCommit = true;

    @Override
    public void start(Map<String, String> config) {
        settings = new ReferenceSettings(config);
        shapes = new RecordShapes(settings.getString("topic"), settings.queue(), settings.getBoolean("every.shape"));
        queue = new QueueClient(
                settings.getString("queue.address"), settings.queue(), settings.getInt("prefetch"), firstMessage());
    }

    private long firstMessage() {
        if (!settings.resumesAtOffsets()) {
            return StoredQueue.AS_QUEUE;
        }
        Map<String, Object> offset = context.offsetStorageReader().offset(shapes.partition());
        return offset == null ? 0 : ((Number) offset.get(RecordShapes.ID)).longValue() + 1;
    }

    @Override
    public List<SourceRecord> poll() throws InterruptedException {
        if (settings.getBoolean("disturbed")) {
            int turn = (int) (polls++ % DISTURBED_CYCLE);
            if (turn == 0) {
                throw new RetriableException("the source requests a retry");
            } else if (turn <= 2) {
                return turn == 1 ? null : List.of();
            }
        }
        long boundMs = settings.getLong("await.batch.ms");
        if (boundMs > 0 && !batch.await(boundMs, TimeUnit.MILLISECONDS)) {
            return null;
        }
        QueueClient.Message first = settings.getBoolean("poll.blocks") ? queue.take() : queue.poll(POLL_WAIT_MS);
        return first == null ? nothing() : records(first);
    }

    /** Ends the open transaction, so that it does not wait for the next message. */
    private List<SourceRecord> nothing() {
        if (transactionOpen) {
            transactionOpen = false;
            context.transactionContext().commitTransaction();
        }
        return null;
    }

    private List<SourceRecord> records(QueueClient.Message first) {
        List<QueueClient.Message> messages = new ArrayList<>();
        messages.add(first);
        queue.drainTo(messages, settings.getInt("batch.max") - 1);
        List<SourceRecord> records = new ArrayList<>(messages.size());
        for (QueueClient.Message message : messages) {
            SourceRecord record = shapes.record(message);
            records.add(record);
            endTransactionWith(record, message.id());
        }
        batch = new CountDownLatch(records.size());
        polledThrough = messages.get(messages.size() - 1).id();
        return records;
    }

    private void endTransactionWith(SourceRecord record, long id) {
        int every = settings.getInt(ReferenceSettings.BOUNDARY_EVERY);
        TransactionContext transactions = every > 0 ? context.transactionContext() : null;
        if (transactions == null) {
            return;
        }
        transactionOpen = id % every != every - 1;
        if (!transactionOpen) {
            transactions.commitTransaction(record);
        }
    }

    @Override
    public void commitRecord(SourceRecord record, RecordMetadata metadata) {
        if (settings.acknowledgesRecords()) {
            queue.acknowledge(RecordShapes.id(record));
        }
        batch.countDown();
    }

    @Override
    public void commit() {
        long takesNanos = TimeUnit.MILLISECONDS.toNanos(settings.getLong("commit.first.ms"));
        if (firstCommit && takesNanos > 0) {
            firstCommit = false;
            long endNanos = System.nanoTime() + takesNanos;
            while (System.nanoTime() - endNanos < 0) {
                LockSupport.parkNanos(endNanos - System.nanoTime());
            }
        }
        long through = polledThrough;
        if (settings.acknowledgesInCommit() && through >= 0) {
            queue.acknowledgeThrough(through);
        }
    }

    @Override
    public void stop() {
        if (queue != null) {
            queue.close();
        }
        while (settings != null && !settings.getBoolean("stop.returns")) {
            LockSupport.park(this);
            boolean ignored = Thread.interrupted();
        }
    }

    @Override
    public String version() {
        return "1";
    }
}
