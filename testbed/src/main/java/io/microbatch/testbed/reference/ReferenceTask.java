package io.microbatch.testbed.reference;

import io.microbatch.testbed.reference.ReferenceSettings.BoundaryAt;
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

    /** The messages of a transaction that have arrived, while others of it have not. */
    private final List<QueueClient.Message> gathered = new ArrayList<>();

    /** Whether the next poll returns nothing and ends the transaction that the last poll has returned. */
    private boolean endIsDue;

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
        if (endIsDue) {
            return endWithoutRecords();
        }
        QueueClient.Message first = settings.getBoolean("poll.blocks") ? queue.take() : queue.poll(POLL_WAIT_MS);
        if (first == null) {
            return nothing();
        }
        return settings.returnsWholeTransactions() ? wholeTransaction(first) : available(first);
    }

    private List<SourceRecord> endWithoutRecords() {
        endIsDue = false;
        endTransaction();
        // To Connect both are a poll without records.
        return settings.transaction(polledThrough) % 2 == 0 ? null : List.of();
    }

    /** Ends the open transaction, so that it does not wait for the next message. */
    private List<SourceRecord> nothing() {
        if (transactionOpen && settings.boundaryAt() == BoundaryAt.RECORD_OR_IDLE) {
            transactionOpen = false;
            context.transactionContext().commitTransaction();
        }
        return null;
    }

    /** Returns the messages of one transaction, and nothing before all of them have arrived. */
    private List<SourceRecord> wholeTransaction(QueueClient.Message next) {
        gathered.add(next);
        queue.drainTo(gathered, settings.followers(next.id()));
        if (settings.followers(gathered.get(gathered.size() - 1).id()) > 0) {
            return null;
        }
        List<SourceRecord> records = records(gathered);
        gathered.clear();
        if (settings.boundaryAt() == BoundaryAt.BATCH) {
            endTransaction();
        } else {
            endIsDue = true;
        }
        return records;
    }

    /** Ends the transaction of the message that was returned last. */
    private void endTransaction() {
        TransactionContext transactions = context.transactionContext();
        if (transactions == null) {
            return;
        }
        if (settings.isAborted(polledThrough)) {
            transactions.abortTransaction();
        } else {
            transactions.commitTransaction();
        }
    }

    private List<SourceRecord> available(QueueClient.Message first) {
        List<QueueClient.Message> messages = new ArrayList<>();
        messages.add(first);
        queue.drainTo(messages, settings.getInt("batch.max") - 1);
        return records(messages);
    }

    private List<SourceRecord> records(List<QueueClient.Message> messages) {
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
        TransactionContext transactions = settings.endsTransactionsWithRecords() ? context.transactionContext() : null;
        if (transactions == null) {
            return;
        }
        transactionOpen = settings.followers(id) > 0;
        if (transactionOpen) {
            return;
        }
        if (settings.isAborted(id)) {
            transactions.abortTransaction(record);
        } else {
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
