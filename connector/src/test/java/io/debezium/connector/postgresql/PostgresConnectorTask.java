package io.debezium.connector.postgresql;

import io.debezium.connector.common.BaseSourceTask;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.TransactionContext;

/** A stand-in for Debezium's task, which the code knows by its name alone. Its polls return what a test has queued. */
public final class PostgresConnectorTask extends BaseSourceTask {

    /** The results of the polls, in order. */
    public static final BlockingQueue<List<SourceRecord>> POLLS = new LinkedBlockingQueue<>();

    /** One permit for each poll that has begun. */
    public static final Semaphore ENTERED = new Semaphore(0);

    private static volatile boolean lettingGo;
    private static volatile TransactionContext transactions;
    private static final AtomicBoolean FAILING = new AtomicBoolean();

    /** Called by reflection. */
    public PostgresConnectorTask() {}

    @Override
    public String version() {
        return "1";
    }

    @Override
    public void start(Map<String, String> properties) {
        transactions = context.transactionContext();
    }

    @Override
    public List<SourceRecord> poll() throws InterruptedException {
        ENTERED.release();
        List<SourceRecord> records = POLLS.poll(10, TimeUnit.MILLISECONDS);
        while (records == null && !lettingGo) {
            records = POLLS.poll(10, TimeUnit.MILLISECONDS);
        }
        if (FAILING.getAndSet(false)) {
            throw new RetriableException("the connection is closed");
        }
        return records;
    }

    /** As Debezium's. Its commit asks Connect for the committed offset. */
    @Override
    public void commitRecord(SourceRecord record, RecordMetadata metadata) {
        // Nothing to note.
    }

    /** The transaction context of the task that was started last. Null if it defines no transaction boundaries. */
    public static TransactionContext transactions() {
        return transactions;
    }

    /** Prepares the next test. */
    public static void reset() {
        lettingGo = false;
        POLLS.clear();
        int ignored = ENTERED.drainPermits();
    }

    /** Ends all waits of polls, so that the reader sees its stop. */
    public static void letGo() {
        lettingGo = true;
    }

    /** Makes the poll that takes the next records discard them, as Debezium's queue does when its reader has failed. */
    public static void failNextPoll() {
        FAILING.set(true);
    }

    @Override
    public void stop() {
        POLLS.clear();
    }
}
