package io.debezium.connector.postgresql;

import io.debezium.connector.common.BaseSourceTask;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.apache.kafka.connect.source.SourceRecord;

/** Stands for Debezium's task, which is known by its name alone: its polls return what a test puts there. */
public final class PostgresConnectorTask extends BaseSourceTask {

    /** What polls return, one after the other. */
    public static final BlockingQueue<List<SourceRecord>> POLLS = new LinkedBlockingQueue<>();

    /** A permit for every poll that was entered. */
    public static final Semaphore ENTERED = new Semaphore(0);

    /** For the host. */
    public PostgresConnectorTask() {}

    @Override
    public String version() {
        return "1";
    }

    @Override
    public void start(Map<String, String> properties) {
        POLLS.clear();
        int ignored = ENTERED.drainPermits();
    }

    @Override
    public List<SourceRecord> poll() throws InterruptedException {
        ENTERED.release();
        return POLLS.take();
    }

    @Override
    public void stop() {
        POLLS.clear();
    }
}
