package io.microbatch.connect;

import io.debezium.connector.common.BaseSourceTask;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;

/**
 * A hosted task whose polls run steps of a test, and that records its notifications. Connect creates tasks by class
 * name, so the state is static: there is one task at a time.
 */
public class ScriptedTask extends SourceTask {

    /** The steps of the polls, in order. A poll without a step returns nothing. */
    static final BlockingQueue<Step> STEPS = new LinkedBlockingQueue<>();

    /**
     * The notifications: the value of each confirmed record, with {@code skipped} before a filtered one, "commit", and
     * "stop".
     */
    static final List<Object> TOLD = new CopyOnWriteArrayList<>();

    /** One permit for each poll that has begun. */
    static final Semaphore ENTERED = new Semaphore(0);

    /** One permit for each confirmed record. */
    static final Semaphore CONFIRMED = new Semaphore(0);

    /** One permit for each commit. */
    static final Semaphore COMMITTED = new Semaphore(0);

    private static volatile boolean stopping;

    /** The action of a poll. */
    @FunctionalInterface
    interface Step {
        List<SourceRecord> poll() throws InterruptedException;
    }

    /** Called by reflection. */
    public ScriptedTask() {}

    static void reset() {
        stopping = false;
        STEPS.clear();
        TOLD.clear();
        for (Semaphore permits : List.of(ENTERED, CONFIRMED, COMMITTED)) {
            int ignored = permits.drainPermits();
        }
    }

    /** Releases every waiting poll. */
    static void letGo() {
        stopping = true;
    }

    static SourceRecord event(int offset) {
        return new SourceRecord(Map.of("p", 0), Map.of("o", offset), "t", null, null, "e" + offset);
    }

    /** Adds a poll that returns these events. */
    static void returns(int... offsets) {
        STEPS.add(() ->
                java.util.Arrays.stream(offsets).mapToObj(ScriptedTask::event).toList());
    }

    /** Adds a poll that waits for a further commit and then returns this event. */
    static void waitsForCommitAndReturns(int offset) {
        STEPS.add(() -> {
            boolean committed = false;
            while (!committed && !stopping) {
                committed = COMMITTED.tryAcquire(10, TimeUnit.MILLISECONDS);
            }
            return List.of(event(offset));
        });
    }

    /** Adds a poll that waits for this number of further confirmations and then returns this event. */
    static void waitsForConfirmationsAndReturns(int confirmations, int offset) {
        STEPS.add(() -> {
            boolean confirmed = false;
            while (!confirmed && !stopping) {
                confirmed = CONFIRMED.tryAcquire(confirmations, 10, TimeUnit.MILLISECONDS);
            }
            return List.of(event(offset));
        });
    }

    @Override
    public String version() {
        return "1";
    }

    @Override
    public void start(Map<String, String> properties) {
        // The test has prepared the state.
    }

    @Override
    public List<SourceRecord> poll() throws InterruptedException {
        return nextStep();
    }

    private static List<SourceRecord> nextStep() throws InterruptedException {
        ENTERED.release();
        Step step = STEPS.poll(1, TimeUnit.MILLISECONDS);
        return step == null ? null : step.poll();
    }

    @Override
    public void commitRecord(SourceRecord record, RecordMetadata metadata) {
        confirmed(record, metadata);
    }

    private static void confirmed(SourceRecord record, RecordMetadata metadata) {
        TOLD.add(metadata == null ? "skipped " + record.value() : record.value());
        CONFIRMED.release();
    }

    @Override
    public void stop() {
        TOLD.add("stop");
        STEPS.clear();
    }

    /** A task of Debezium that looks at each record, as Spanner's does. */
    public static final class DebeziumThatCounts extends BaseSourceTask {
        /** Called by reflection. */
        public DebeziumThatCounts() {}

        @Override
        public String version() {
            return "1";
        }

        @Override
        public void start(Map<String, String> properties) {
            // The test has prepared the state.
        }

        @Override
        public List<SourceRecord> poll() throws InterruptedException {
            return nextStep();
        }

        @Override
        public void commitRecord(SourceRecord record, RecordMetadata metadata) {
            confirmed(record, metadata);
        }

        @Override
        public void stop() {
            STEPS.clear();
        }
    }

    /** A task for which commit acknowledges everything that it has returned, as Solace's connector does. */
    public static final class AcknowledgingOnCommit extends ScriptedTask {
        /** Called by reflection. */
        public AcknowledgingOnCommit() {}

        @Override
        public void commit() {
            TOLD.add("commit");
            COMMITTED.release();
        }
    }
}
