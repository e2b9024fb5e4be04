package io.microbatch.connect.upstream.hosted;

import io.microbatch.connect.ack.EventRecord;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Whether the events of equal source offset at the end of a poll are all that have it. Where they may not be, they are
 * held until the next poll tells. Reader thread.
 *
 * <p>Debezium's polls end anywhere: it gives out what is in its queue when the poll is full or its time is over, while
 * its reading thread may be between a delete and its tombstone. If its next poll, a whole poll interval, brings nothing,
 * the run is over. That does not hold where more has to come: whoever sees a delete knows of the tombstone, and waits
 * for it. Nor where events share their offset already, which those of a COPY do by the dozen: that takes a longer quiet.
 * On the other hand, an event that cannot share its offset with a later one is not held at all.
 *
 * <p>Polls of any other task are taken as Connect takes them, as complete: how long such a poll waits is not known, and
 * nothing may be held for minutes.
 */
final class LastRun {

    /** A tombstone that has not come by then does not come: somebody has taken it out. */
    private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * Where an offset is shared already, by rows of a COPY, Debezium may stand still for longer than a poll before it
     * brings more of them; where nothing follows, the last of them are later by this.
     */
    private static final long SHARED_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final String POSTGRES_TASK = "io.debezium.connector.postgresql.PostgresConnectorTask";
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

    /** Of polls that never end in the middle of a run. */
    static LastRun endsWithThePoll() {
        return new LastRun(false, false, false, () -> 0);
    }

    /** Of a hosted task. */
    static LastRun of(Class<?> taskClass, Map<String, String> settings, LongSupplier nanoClock) {
        return new LastRun(
                HostedClasses.isDebeziumTask(taskClass),
                HostedClasses.descendsFrom(taskClass, POSTGRES_TASK),
                !"false".equalsIgnoreCase(settings.getOrDefault(TOMBSTONES, "").trim()),
                nanoClock);
    }

    /** A poll has ended in these records: whether the run of the last one may go on. */
    boolean mayGoOnBehind(List<SourceRecord> records) {
        int size = records.size();
        previous = size > 1 ? records.get(size - 2) : previous;
        return mayGoOnBehind(records.get(size - 1));
    }

    /** Likewise of one record. */
    boolean mayGoOnBehind(SourceRecord last) {
        rest = debezium ? restBehind(last) : Rest.NONE;
        // In PostgreSQL alone: elsewhere it is a delete and its tombstone that share one, and nothing follows them.
        shared = postgres && rest == Rest.PERHAPS && previous != null && EventRecord.sameOffset(previous, last);
        previous = debezium ? last : null;
        polledNanos = nanoClock.getAsLong();
        return rest != Rest.NONE;
    }

    /** A poll has brought nothing: whether that ends the run. */
    boolean endsWithNothing() {
        long quietNanos = nanoClock.getAsLong() - polledNanos;
        return switch (rest) {
            case NONE -> true;
            case PERHAPS -> !shared || quietNanos >= SHARED_WAIT_NANOS;
            case CERTAINLY -> quietNanos >= LONGEST_WAIT_NANOS;
        };
    }

    private Rest restBehind(SourceRecord last) {
        String operation = operation(last);
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

    /** As Debezium's envelope names it; empty for anything else. */
    private static String operation(SourceRecord record) {
        return record.value() instanceof Struct envelope
                        && envelope.schema().field("op") != null
                        && envelope.get("op") instanceof String operation
                ? operation
                : "";
    }
}
