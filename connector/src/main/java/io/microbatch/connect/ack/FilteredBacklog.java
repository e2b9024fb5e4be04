package io.microbatch.connect.ack;

import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the filtered events that an exactly-once worker keeps in memory. Task thread, except {@link #keptBytes}.
 *
 * <p>An exactly-once worker keeps every record of a transaction, filtered ones too, until the transaction commits. If a
 * batch was filtered completely, there is nothing to commit. The worker then skips the step that frees the records, and
 * keeps them until a batch with content commits. Without such a batch the heap fills up.
 *
 * <p>A task cannot free these records, but it can detect them: the worker calls commit on the task thread, and no event
 * of the earlier batches was acknowledged. So this class counts the events returned since the last acknowledgement,
 * logs a warning at half of the limit, and fails at the limit. Nothing is lost, because the next start reads the events
 * again.
 *
 * <p>In at-least-once mode a filtered record is acknowledged immediately. Commits come from another thread, and the
 * last one of a task is not passed on to this class. So the count stays at 0.
 */
public final class FilteredBacklog {

    private static final Logger log = LoggerFactory.getLogger(FilteredBacklog.class);

    private final long maxBytes;
    private long unansweredBytes;
    private long unansweredEvents;
    /** Also shown as a metric, to any thread. */
    private volatile long keptBytes;

    private boolean warned;

    /** Sets the limit, in estimated bytes. */
    public FilteredBacklog(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    public void returned(int events, long bytes) {
        unansweredEvents += events;
        unansweredBytes += bytes;
    }

    /** An event was acknowledged on the task thread: the worker has freed all records so far. */
    public void acknowledged() {
        unansweredEvents = 0;
        unansweredBytes = 0;
        warned = false;
    }

    /** The worker has called commit on the task thread, after any acknowledgements. */
    public void committed() {
        if (keptBytes != unansweredBytes) {
            keptBytes = unansweredBytes;
        }
    }

    /** The estimated bytes that the worker keeps until a commit. Any thread. */
    public long keptBytes() {
        return keptBytes;
    }

    /**
     * Checks the limit. Call it before each batch is returned.
     *
     * @throws ConnectException if the worker keeps more than the limit
     */
    public void check() {
        if (keptBytes > maxBytes) {
            throw new ConnectException(describe() + ", more than batch.max.filtered.bytes. Nothing is lost: the next "
                    + "start reads these events again. " + remedy());
        }
        if (keptBytes > maxBytes / 2 && !warned) {
            warned = true;
            log.warn("{}; at {} bytes this task will fail. {}", describe(), maxBytes, remedy());
        }
    }

    private String describe() {
        return "Transforms have filtered, or tolerated errors have skipped, every event since the last transaction "
                + "with content: " + unansweredEvents + " events of about " + keptBytes
                + " bytes, which an exactly-once worker keeps until such a transaction commits";
    }

    private static String remedy() {
        return "Filter in the upstream, let a record pass from time to time (such as a heartbeat, by a predicate on "
                + "the filter), or raise batch.max.filtered.bytes and the worker's heap.";
    }
}
