package io.microbatch.connect.upstream.hosted.debezium;

import io.microbatch.connect.ack.EventRecord;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Decides whether more events may follow with the source offset of the last events of a poll (a run). Such a run is
 * held until later polls decide. Reader thread.
 *
 * <p>A Debezium poll may end anywhere. It returns its queue when the poll is full or its time is over, while the thread
 * that fills the queue may be between a delete and its tombstone. If the next poll, which waits for a whole poll
 * interval, returns nothing, the run is complete. There are three exceptions. A delete is held until its tombstone
 * comes. Events that already share their offset, for example the rows of a COPY, are held for longer. An event that
 * cannot share its offset with a later one is not held.
 *
 * <p>The polls of any other task are complete, as for Connect. The length of such a poll is unknown, and no event may
 * be held for minutes.
 */
public final class LastRun {

    /** The maximum wait for a tombstone. After that, a transform has removed it. */
    private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * The wait for a further row of a COPY, between which Debezium may pause for longer than a poll. The last rows of a
     * COPY are delayed by this if nothing follows them.
     */
    private static final long SHARED_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final String TOMBSTONES = "tombstones.on.delete";

    /**
     * The header of the delete, and its tombstone, of a row whose primary key has changed. A create with the new key
     * follows.
     */
    private static final String NEW_KEY_HEADER = "__debezium.newkey";

    /** The header of that create. */
    private static final String OLD_KEY_HEADER = "__debezium.oldkey";

    /** Whether more records follow with the same source offset. */
    private enum Rest {
        NONE,
        PERHAPS,
        CERTAINLY
    }

    private final boolean debezium;
    private final boolean postgres;
    private final boolean tombstones;
    private final LongSupplier nanoClock;
    private Rest rest = Rest.NONE;
    private long polledNanos;

    /** The last record of the previous poll. */
    private SourceRecord previous;

    /** Whether the run already has several events, so that it may be long. */
    private boolean shared;

    private LastRun(boolean debezium, boolean postgres, boolean tombstones, LongSupplier nanoClock) {
        this.debezium = debezium;
        this.postgres = postgres;
        this.tombstones = tombstones;
        this.nanoClock = nanoClock;
    }

    /** Creates the decision for a task whose polls never end within a run. */
    public static LastRun endsWithThePoll() {
        return new LastRun(false, false, false, () -> 0);
    }

    /** Creates the decision for a hosted task with these settings. */
    public static LastRun of(Class<?> taskClass, Map<String, String> settings, LongSupplier nanoClock) {
        return new LastRun(
                Debezium.isTask(taskClass),
                Debezium.isPostgresTask(taskClass),
                !"false".equalsIgnoreCase(settings.getOrDefault(TOMBSTONES, "").trim()),
                nanoClock);
    }

    /** Whether more events may follow with the source offset of the last of these polled records. */
    public boolean mayContinueAfter(List<SourceRecord> records) {
        int size = records.size();
        previous = size > 1 ? records.get(size - 2) : previous;
        return mayContinueAfter(records.get(size - 1));
    }

    /** Same as {@link #mayContinueAfter(List)} for a poll of one record. */
    boolean mayContinueAfter(SourceRecord last) {
        rest = debezium ? restAfter(last) : Rest.NONE;
        // PostgreSQL only: elsewhere only a delete and its tombstone share an offset, and nothing follows them.
        shared = postgres && rest == Rest.PERHAPS && previous != null && EventRecord.sameOffset(previous, last);
        previous = debezium ? last : null;
        polledNanos = nanoClock.getAsLong();
        return rest != Rest.NONE;
    }

    /** Whether an empty poll ends the run. */
    public boolean endsWithEmptyPoll() {
        long quietNanos = nanoClock.getAsLong() - polledNanos;
        return switch (rest) {
            case NONE -> true;
            case PERHAPS -> !shared || quietNanos >= SHARED_WAIT_NANOS;
            case CERTAINLY -> quietNanos >= LONGEST_WAIT_NANOS;
        };
    }

    private Rest restAfter(SourceRecord last) {
        String operation = ChangeEvent.operation(last);
        boolean keyChanged = last.headers().lastWithName(NEW_KEY_HEADER) != null;
        if (operation.equals("d") ? tombstones || keyChanged : last.value() == null && keyChanged) {
            return Rest.CERTAINLY;
        }
        // The initial snapshot has one offset for all rows, and restarts if it was not complete.
        boolean alone = operation.equals("r") || (postgres && isAloneInPostgres(last, operation));
        return alone ? Rest.NONE : Rest.PERHAPS;
    }

    /**
     * PostgreSQL's offset is the position of an entry in its log. Each updated or deleted row and each message has its
     * own entry. Rows that COPY inserts share one, and so do the tables of one TRUNCATE.
     */
    private static boolean isAloneInPostgres(SourceRecord last, String operation) {
        return switch (operation) {
            case "u", "d", "m" -> true;
            case "c" -> last.headers().lastWithName(OLD_KEY_HEADER) != null;
            default -> last.value() == null;
        };
    }
}
