package io.microbatch.connect.upstream.hosted.debezium;

import io.microbatch.connect.ack.EventRecord;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Decides whether the last events of a poll, which share a source offset (a run), may be followed by more events of
 * that offset. Such a run is held until later polls decide. Reader thread.
 *
 * <p>A poll of Debezium's may end anywhere: it returns what is in its queue when the poll is full or its time is over,
 * while the thread that fills the queue may be between a delete and its tombstone. If the next poll, which waits for a
 * whole poll interval, returns nothing, the run is complete. There are three exceptions. A delete is held until its
 * tombstone comes. Events that share their offset already, as the rows of a COPY do, are held for longer. An event that
 * cannot share its offset with a later one is not held.
 *
 * <p>The polls of any other task are complete, as they are for Connect: it is not known how long such a poll waits, and
 * no event may be held for minutes.
 */
public final class LastRun {

    /** A tombstone that has not come by then does not come: a transform has removed it. */
    private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * Between two rows of a COPY, Debezium may pause for longer than a poll. The last rows of a COPY are delayed by
     * this where nothing follows them.
     */
    private static final long SHARED_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final String TOMBSTONES = "tombstones.on.delete";

    /** On the delete, and its tombstone, of a row whose primary key has changed: the new one is created next. */
    private static final String NEW_KEY_HEADER = "__debezium.newkey";

    /** On that creation. */
    private static final String OLD_KEY_HEADER = "__debezium.oldkey";

    /** What comes behind a record with its source offset. */
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

    /** The last record of the poll before. */
    private SourceRecord previous;

    /** Whether the run has several events already, so that it is one of those that are long. */
    private boolean shared;

    private LastRun(boolean debezium, boolean postgres, boolean tombstones, LongSupplier nanoClock) {
        this.debezium = debezium;
        this.postgres = postgres;
        this.tombstones = tombstones;
        this.nanoClock = nanoClock;
    }

    /** For a task whose polls never end within a run. */
    public static LastRun endsWithThePoll() {
        return new LastRun(false, false, false, () -> 0);
    }

    /**
     * For a hosted task.
     *
     * @param settings the task's own settings
     */
    public static LastRun of(Class<?> taskClass, Map<String, String> settings, LongSupplier nanoClock) {
        return new LastRun(
                Debezium.isTask(taskClass),
                Debezium.isPostgresTask(taskClass),
                !"false".equalsIgnoreCase(settings.getOrDefault(TOMBSTONES, "").trim()),
                nanoClock);
    }

    /**
     * Whether more events may follow with the source offset of the last of these records, which a poll has returned.
     */
    public boolean mayGoOnBehind(List<SourceRecord> records) {
        int size = records.size();
        previous = size > 1 ? records.get(size - 2) : previous;
        return mayGoOnBehind(records.get(size - 1));
    }

    /** Same as {@link #mayGoOnBehind(List)} for a poll of one record. */
    boolean mayGoOnBehind(SourceRecord last) {
        rest = debezium ? restBehind(last) : Rest.NONE;
        // In PostgreSQL alone: elsewhere it is a delete and its tombstone that share one, and nothing follows them.
        shared = postgres && rest == Rest.PERHAPS && previous != null && EventRecord.sameOffset(previous, last);
        previous = debezium ? last : null;
        polledNanos = nanoClock.getAsLong();
        return rest != Rest.NONE;
    }

    /** Whether a poll that has returned nothing ends the run. */
    public boolean endsWithNothing() {
        long quietNanos = nanoClock.getAsLong() - polledNanos;
        return switch (rest) {
            case NONE -> true;
            case PERHAPS -> !shared || quietNanos >= SHARED_WAIT_NANOS;
            case CERTAINLY -> quietNanos >= LONGEST_WAIT_NANOS;
        };
    }

    private Rest restBehind(SourceRecord last) {
        String operation = ChangeEvent.operation(last);
        boolean keyChanged = last.headers().lastWithName(NEW_KEY_HEADER) != null;
        if (operation.equals("d") ? tombstones || keyChanged : last.value() == null && keyChanged) {
            return Rest.CERTAINLY;
        }
        // The initial snapshot has one offset for all rows, and begins anew if it was not complete.
        boolean alone = operation.equals("r") || (postgres && isAloneInPostgres(last, operation));
        return alone ? Rest.NONE : Rest.PERHAPS;
    }

    /**
     * PostgreSQL's offset is the position of an entry in its log. There is one for each row that is updated or deleted,
     * and for each message, but rows that COPY inserts share theirs, and so do the tables of one TRUNCATE.
     */
    private static boolean isAloneInPostgres(SourceRecord last, String operation) {
        return switch (operation) {
            case "u", "d", "m" -> true;
            case "c" -> last.headers().lastWithName(OLD_KEY_HEADER) != null;
            default -> last.value() == null;
        };
    }
}
