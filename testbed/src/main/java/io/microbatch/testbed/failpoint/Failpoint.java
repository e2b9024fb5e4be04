package io.microbatch.testbed.failpoint;

/**
 * The location of each failpoint: a class of the plugin or of Kafka, a method that it declares, and whether the point
 * is before the method's first instruction or after its last. The names are strings because they are woven into a
 * worker with its own class loaders. A test resolves every one of them against the code.
 */
public enum Failpoint {
    /** The task is about to be built. */
    IN_TASK_START("io.microbatch.connect.MicrobatchSourceTask", "start", Side.ENTRY),
    /** A hosted reader is about to create and start its task. */
    IN_HOSTED_START("io.microbatch.connect.upstream.hosted.HostedReader", "start", Side.ENTRY),
    /** The generator is about to read its committed offsets. */
    IN_READER_START("io.microbatch.connect.upstream.synthetic.SyntheticReader", "start", Side.ENTRY),
    /** The hosted task is about to be polled. */
    IN_HOSTED_POLL("io.microbatch.connect.upstream.hosted.HostedReader", "fetch", Side.ENTRY),
    /** The reader of an outbox is about to connect to the database. */
    IN_OUTBOX_START("io.microbatch.connect.upstream.outbox.OutboxReader", "start", Side.ENTRY),
    /** The rows of a page are handed over one after the other. */
    IN_OUTBOX_PAGE("io.microbatch.connect.upstream.outbox.OutboxReader", "hand", Side.EXIT),
    /** Kafka has rows that are about to be deleted. */
    BEFORE_OUTBOX_DELETE("io.microbatch.connect.upstream.outbox.Sweeper", "sweep", Side.ENTRY),
    /** Rows have been deleted. */
    AFTER_OUTBOX_DELETE("io.microbatch.connect.upstream.outbox.Sweeper", "sweep", Side.EXIT),
    /** Events are visible in the ring. The consumer is not notified yet. */
    AFTER_RING_PUBLISH("io.microbatch.connect.stripe.StripeWriter", "publish", Side.EXIT),
    /** An event has been taken from the ring and is not in the batch yet: the batch is partly drained. */
    MID_DRAIN("io.microbatch.connect.poll.BatchAssembler", "take", Side.EXIT),
    /** Connect has sent the previous batch and asks for the next. */
    NEXT_POLL_ENTRY("io.microbatch.connect.MicrobatchSourceTask", "poll", Side.ENTRY),
    /** The batch is complete, and Connect does not have it yet. */
    BEFORE_POLL_RETURNS("io.microbatch.connect.TaskPipeline", "returned", Side.EXIT),
    /** Connect is about to get the result of the poll, which may be nothing. */
    POLL_RETURNS("io.microbatch.connect.MicrobatchSourceTask", "poll", Side.EXIT),
    /** Kafka has the records of the transaction, which is not committed yet. */
    BEFORE_TRANSACTION_COMMIT(
            "org.apache.kafka.connect.runtime.ExactlyOnceWorkerSourceTask", "commitTransaction", Side.ENTRY),
    /** The transaction is committed and its records are acknowledged. */
    AFTER_TRANSACTION_COMMIT(
            "org.apache.kafka.connect.runtime.ExactlyOnceWorkerSourceTask", "commitTransaction", Side.EXIT),
    /** The producer of a task has no batch in progress. It has not chosen its next transactional request yet. */
    NO_BATCH_IN_PROGRESS("org.apache.kafka.clients.producer.internals.RecordAccumulator", "hasIncomplete", Side.EXIT),
    /** Kafka has the record, and the task does not know it yet. */
    ENTRY_OF_COMMIT_RECORD("io.microbatch.connect.MicrobatchSourceTask", "commitRecord", Side.ENTRY),
    /** The event is settled. */
    AFTER_SETTLE("io.microbatch.connect.ack.EventRecord", "settle", Side.EXIT),
    /** Connect has committed source offsets, and the task does not know it yet. */
    IN_COMMIT("io.microbatch.connect.MicrobatchSourceTask", "commit", Side.ENTRY),
    /** The hosted task is about to be notified of a durable position. */
    BEFORE_UPSTREAM_CONFIRMED("io.microbatch.connect.upstream.hosted.HostedHooks", "commit", Side.ENTRY),
    /** The hosted task has been notified. */
    AFTER_UPSTREAM_CONFIRMED("io.microbatch.connect.upstream.hosted.HostedHooks", "commit", Side.EXIT),
    /** An observation is in SQLite's open transaction. */
    BEFORE_SQLITE_COMMIT("io.microbatch.connect.calibration.CalibrationStore", "insert", Side.EXIT),
    /** SQLite has committed an observation. */
    AFTER_SQLITE_COMMIT("io.microbatch.connect.calibration.CalibrationStore", "append", Side.EXIT),
    /** The task is about to stop its readers. */
    IN_STOP("io.microbatch.connect.TaskPipeline", "stop", Side.ENTRY),
    /** Offsets are about to be altered over REST. */
    IN_ALTER_OFFSETS("io.microbatch.connect.MicrobatchSourceConnector", "alterOffsets", Side.ENTRY);

    /** Before the first or after the last instruction. */
    public enum Side {
        /** Before the first instruction. */
        ENTRY,
        /** After the last instruction, if the method returns without an exception. */
        EXIT
    }

    private final String className;
    private final String methodName;
    private final Side side;

    Failpoint(String className, String methodName, Side side) {
        this.className = className;
        this.methodName = methodName;
        this.side = side;
    }

    /** The binary name of the class. */
    public String className() {
        return className;
    }

    /** The method, which this class declares exactly once, bridge methods excepted. */
    public String methodName() {
        return methodName;
    }

    /** The end of the method at which the point is. */
    public Side side() {
        return side;
    }

    /** Whether the class belongs to the plugin, and not to the worker. */
    public boolean isInPlugin() {
        return className.startsWith("io.microbatch.");
    }
}
