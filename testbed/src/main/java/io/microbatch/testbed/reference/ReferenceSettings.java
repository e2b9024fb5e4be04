package io.microbatch.testbed.reference;

import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;

/** The settings of a reference connector. Together they make it behave like one family of connectors. */
final class ReferenceSettings extends AbstractConfig {

    static final String TASK_INDEX = "task.index";
    static final String ACKNOWLEDGE = "acknowledge";
    static final String BOUNDARY_EVERY = "boundary.every";
    private static final String BOUNDARY_AT = "boundary.at";
    private static final String ABORT_EVERY = "abort.every";

    static final ConfigDef DEFINITION = new ConfigDef()
            .define("queue.address", Type.STRING, Importance.HIGH, "address of the queue server")
            .define("queue.name", Type.STRING, Importance.HIGH, "name of the queue, to which a task appends its number")
            .define("topic", Type.STRING, Importance.HIGH, "topic of the messages")
            .define("password", Type.PASSWORD, "", Importance.LOW, "unused secret that must not appear anywhere")
            .define(ACKNOWLEDGE, Type.STRING, "offset", Importance.HIGH, "commit, record, or offset (none)")
            .define("prefetch", Type.INT, 10_000, Importance.LOW, "maximum number of unacknowledged messages")
            .define("batch.max", Type.INT, 500, Importance.LOW, "maximum number of messages per poll")
            .define("poll.blocks", Type.BOOLEAN, false, Importance.LOW, "whether a poll waits without limit")
            .define("await.batch.ms", Type.LONG, 0L, Importance.LOW, "how long a poll waits for its last messages")
            .define("disturbed", Type.BOOLEAN, false, Importance.LOW, "whether most polls return nothing or fail")
            .define(BOUNDARY_EVERY, Type.INT, 0, Importance.LOW, "number of messages per transaction")
            .define(BOUNDARY_AT, Type.STRING, "record-or-idle", Importance.LOW, "where a transaction is ended")
            .define(ABORT_EVERY, Type.INT, 0, Importance.LOW, "number of transactions of which the last is aborted")
            .define("every.shape", Type.BOOLEAN, false, Importance.LOW, "whether records have all shapes")
            .define("commit.first.ms", Type.LONG, 0L, Importance.LOW, "duration of the first commit")
            .define("stop.returns", Type.BOOLEAN, true, Importance.LOW, "whether stop returns")
            .define(TASK_INDEX, Type.INT, 0, Importance.LOW, "number of the task");

    /** Where a task ends the transactions that it defines. */
    enum BoundaryAt {
        /** With the last record of a transaction, and before that if no further message arrives soon. */
        RECORD_OR_IDLE,
        /** With the last record of a transaction only. When messages arrive makes no difference. */
        RECORD,
        /** With a poll that returns a whole transaction. Only with {@code acknowledge=offset}. */
        BATCH,
        /** With an empty poll after one that returned a whole transaction. Only with {@code acknowledge=offset}. */
        EMPTY_POLL
    }

    private final BoundaryAt boundaryAt;

    ReferenceSettings(Map<String, String> settings) {
        super(DEFINITION, settings, false);
        String where = getString(BOUNDARY_AT).toUpperCase(Locale.ROOT);
        boundaryAt = BoundaryAt.valueOf(where.replace('-', '_'));
    }

    BoundaryAt boundaryAt() {
        return boundaryAt;
    }

    /** Whether a poll returns all messages of one transaction. */
    boolean returnsWholeTransactions() {
        return getInt(BOUNDARY_EVERY) > 0 && (boundaryAt == BoundaryAt.BATCH || boundaryAt == BoundaryAt.EMPTY_POLL);
    }

    /** Whether a task ends its transactions with single records. */
    boolean endsTransactionsWithRecords() {
        return getInt(BOUNDARY_EVERY) > 0 && !returnsWholeTransactions();
    }

    /** The number of messages of the same transaction that follow this one. */
    int followers(long id) {
        int every = getInt(BOUNDARY_EVERY);
        return (int) (every - 1 - id % every);
    }

    /** The number of the transaction that this message belongs to, from 0. */
    long transaction(long id) {
        return id / getInt(BOUNDARY_EVERY);
    }

    /** Whether the transaction that this message belongs to is aborted. */
    boolean isAborted(long id) {
        int every = getInt(ABORT_EVERY);
        return every > 0 && transaction(id) % every == every - 1;
    }

    boolean resumesAtOffsets() {
        return getString(ACKNOWLEDGE).equals("offset");
    }

    boolean acknowledgesInCommit() {
        return getString(ACKNOWLEDGE).equals("commit");
    }

    boolean acknowledgesRecords() {
        return getString(ACKNOWLEDGE).equals("record");
    }

    String queue() {
        return queue(getString("queue.name"), getInt(TASK_INDEX));
    }

    static String queue(String name, int task) {
        return name + "-" + task;
    }
}
