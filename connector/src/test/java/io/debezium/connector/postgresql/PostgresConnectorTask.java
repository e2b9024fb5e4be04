package io.debezium.connector.postgresql;

import io.debezium.connector.common.BaseSourceTask;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.TransactionContext;

/** Stands for Debezium's task, which is known by its name alone: its polls return what a test puts there. */
public final class PostgresConnectorTask extends BaseSourceTask {

    /** What polls return, one after the other. */
    public static final BlockingQueue<List<SourceRecord>> POLLS = new LinkedBlockingQueue<>();

    /** A permit for every poll that was entered. */
    public static final Semaphore ENTERED = new Semaphore(0);

    private static volatile boolean lettingGo;
    private static volatile TransactionContext transactions;
    private static final AtomicBoolean FAILING = new AtomicBoolean();

    /** For the host. */
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
            throw new RetriableException("the connection is gone");
        }
        return records;
    }

    /** What the task that was started last says its transaction boundaries to; null if it defines none. */
    public static TransactionContext transactions() {
        return transactions;
    }

    /** For the next test. */
    public static void reset() {
        lettingGo = false;
        POLLS.clear();
        int ignored = ENTERED.drainPermits();
    }

    /** Polls wait for nothing any more, so that the reader sees that it is to stop. */
    public static void letGo() {
        lettingGo = true;
    }

    /** Has the poll that gets the next records throw them away, as Debezium's queue does when its reader has failed. */
    public static void failNextPoll() {
        FAILING.set(true);
    }

    @Override
    public void stop() {
        POLLS.clear();
    }
}
