package io.microbatch.connect;

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
 * A hosted task whose polls do what a test tells them, and that notes what it is told of its events. Connect creates
 * tasks by class name, so that a test speaks to the only one there is.
 */
public class ScriptedTask extends SourceTask {

    /** What polls do, one after the other; a poll without a step returns nothing. */
    static final BlockingQueue<Step> STEPS = new LinkedBlockingQueue<>();

    /** What the task was told: the value of each confirmed record, {@code skipped} before a filtered one, "commit". */
    static final List<Object> TOLD = new CopyOnWriteArrayList<>();

    /** A permit for every poll that was entered. */
    static final Semaphore ENTERED = new Semaphore(0);

    /** A permit for every confirmed record. */
    static final Semaphore CONFIRMED = new Semaphore(0);

    /** A permit for every commit. */
    static final Semaphore COMMITTED = new Semaphore(0);

    private static volatile boolean stopping;

    /** What a poll does. */
    @FunctionalInterface
    interface Step {
        List<SourceRecord> poll() throws InterruptedException;
    }

    /** For the host. */
    public ScriptedTask() {}

    static void reset() {
        stopping = false;
        STEPS.clear();
        TOLD.clear();
        for (Semaphore permits : List.of(ENTERED, CONFIRMED, COMMITTED)) {
            int ignored = permits.drainPermits();
        }
    }

    /** Lets every waiting poll return. */
    static void letGo() {
        stopping = true;
    }

    static SourceRecord event(int offset) {
        return new SourceRecord(Map.of("p", 0), Map.of("o", offset), "t", null, null, "e" + offset);
    }

    /** A poll that brings these events. */
    static void brings(int... offsets) {
        STEPS.add(() ->
                java.util.Arrays.stream(offsets).mapToObj(ScriptedTask::event).toList());
    }

    /** A poll that waits until so many more records are confirmed, and then brings this event. */
    static void waitsForConfirmationsAndBrings(int confirmations, int offset) {
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
        // A test has prepared what there is.
    }

    @Override
    public List<SourceRecord> poll() throws InterruptedException {
        ENTERED.release();
        Step step = STEPS.poll(1, TimeUnit.MILLISECONDS);
        return step == null ? null : step.poll();
    }

    @Override
    public void commitRecord(SourceRecord record, RecordMetadata metadata) {
        TOLD.add(metadata == null ? "skipped " + record.value() : record.value());
        CONFIRMED.release();
    }

    @Override
    public void stop() {
        STEPS.clear();
    }

    /** As Solace's connector: commit is the acknowledgement of all that was polled. */
    public static final class AcknowledgingOnCommit extends ScriptedTask {
        /** For the host. */
        public AcknowledgingOnCommit() {}

        @Override
        public void commit() {
            TOLD.add("commit");
            COMMITTED.release();
        }
    }
}
