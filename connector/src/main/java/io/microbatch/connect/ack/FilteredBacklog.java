package io.microbatch.connect.ack;

import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much the worker keeps of events that were filtered, and when that is too much. Task thread, but for {@link #keptBytes}.
 *
 * <p>An exactly-once worker keeps every record of a transaction until it commits, the filtered ones too. A batch of
 * which everything was filtered has nothing to commit: the worker then skips the step that would free its records, and
 * goes on keeping them, and those of the next such batch, until a batch with content commits. If none ever does, the
 * heap fills up.
 *
 * <p>A task cannot make the worker let go. It can see it: the worker has called commit on the task thread, and no event
 * of the batches before was acknowledged. So it counts what was returned since the last acknowledgement, says so when
 * half of the bound is reached, and fails at the bound, with nothing lost: the next start reads those events again.
 *
 * <p>In at-least-once mode a filtered record is acknowledged at once, commits come from another thread, and all this
 * counts nothing.
 */
public final class FilteredBacklog {

    private static final Logger log = LoggerFactory.getLogger(FilteredBacklog.class);

    private final long maxBytes;
    private long unansweredBytes;
    private long unansweredEvents;
    /** Also shown as a metric, to any thread. */
    private volatile long keptBytes;

    private boolean warned;

    /** Fails when more than so many estimated bytes are kept. */
    public FilteredBacklog(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** A batch goes to Connect. */
    public void returned(int events, long bytes) {
        unansweredEvents += events;
        unansweredBytes += bytes;
    }

    /** An event was acknowledged on the task thread: the worker has let go of everything up to now. */
    public void acknowledged() {
        unansweredEvents = 0;
        unansweredBytes = 0;
        warned = false;
    }

    /** The worker has called commit on the task thread, after the acknowledgements if there were any. */
    public void committed() {
        if (keptBytes != unansweredBytes) {
            keptBytes = unansweredBytes;
        }
    }

    /** The estimated bytes that the worker keeps for want of a commit. Any thread. */
    public long keptBytes() {
        return keptBytes;
    }

    /**
     * To be called before more is returned.
     *
     * @throws ConnectException if the worker keeps more than the bound
     */
    public void check() {
        if (keptBytes > maxBytes) {
            throw new ConnectException(describe() + ", more than batch.max.filtered.bytes. Nothing is lost: the next "
                    + "start reads them again. " + cure());
        }
        if (keptBytes > maxBytes / 2 && !warned) {
            warned = true;
            log.warn("{}; at {} bytes this task will fail. {}", describe(), maxBytes, cure());
        }
    }

    private String describe() {
        return "Transforms have filtered, or tolerated errors have skipped, every event since the last transaction with "
                + "content: " + unansweredEvents + " events of about " + keptBytes
                + " bytes, which an exactly-once worker keeps until one commits";
    }

    private static String cure() {
        return "Filter in the upstream, let something pass from time to time (a heartbeat, by a predicate on the filter), "
                + "or raise batch.max.filtered.bytes and the worker's heap.";
    }
}
