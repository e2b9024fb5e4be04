package io.microbatch.connect.upstream.hosted;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.config.HostedConfig;
import io.microbatch.connect.upstream.Intake;
import io.microbatch.connect.upstream.UpstreamReader;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;
import org.apache.kafka.connect.source.SourceTaskContext;

/**
 * Runs a hosted task on the reader thread: initialize, start, poll, commitRecord, commit and stop all come from there,
 * so that a task that was written for Connect's one task thread finds one.
 */
public final class HostedReader implements UpstreamReader {

    /** After an empty poll: Connect would poll again at once, and so would spin on tasks that do not wait themselves. */
    private static final long EMPTY_POLL_PARK_NANOS = 500_000;

    private final String taskClass;
    private final ClassLoader loader;
    private final Map<String, String> settings;
    private final HostedTaskContext context;
    private SourceTask task;

    /** Written by the reader thread, read by the task's. */
    private volatile HostedHooks hooks;

    private Confirmation confirmation;
    private final LongSupplier nanoClock;
    private LastRun lastRun;
    private PollSpacing spacing;

    /** Events that were handed over and that Connect is not done with; under exactly-once those not committed. */
    private long unsettled;

    /** Whether the last poll asked to be tried again, which has a Debezium task restart. */
    private boolean beginsAnew;

    /** Written by the reader thread, read by any. */
    private volatile double lagMs = Double.NaN;

    /**
     * Prepares a hosted task; creates nothing yet.
     *
     * @param taskConfig a task configuration that {@link HostedUpstream#taskConfigs} has a share in
     * @param context what Connect gave to the task that hosts
     */
    public HostedReader(Map<String, String> taskConfig, SourceTaskContext context) {
        this(taskConfig, context, System::nanoTime);
    }

    HostedReader(Map<String, String> taskConfig, SourceTaskContext context, LongSupplier nanoClock) {
        this.taskClass = taskConfig.get(HostedConfig.TASK_CLASS);
        if (taskClass == null) {
            throw new ConnectException("The task configuration names no hosted task class; restart the connector");
        }
        this.loader = HostedClasses.loaderOf(taskConfig.get(HostedConfig.CLASS_CONFIG));
        this.settings = HostedConfig.taskSettings(taskConfig);
        this.context = new HostedTaskContext(context);
        this.nanoClock = nanoClock;
    }

    @Override
    public ClassLoader classLoader() {
        return loader;
    }

    @Override
    public void start() {
        task = HostedClasses.newTask(taskClass, loader);
        HostedHooks guarded = new HostedHooks(task);
        hooks = guarded;
        confirmation = HostedClasses.lastOffsetWins(task.getClass())
                ? new DurableOffsetConfirmation(guarded)
                : new EachRecordConfirmation(guarded);
        // A task that says itself where transactions end has said whether a run may be torn there.
        lastRun = context.transactions().orNull() == null
                ? LastRun.of(task.getClass(), settings, nanoClock)
                : LastRun.endsWithThePoll();
        spacing = PollSpacing.of(task.getClass(), settings);
        task.initialize(context);
        task.start(settings);
    }

    @Override
    public void fetch(Intake intake) throws InterruptedException {
        if (mustSettle()) {
            LockSupport.parkNanos(EMPTY_POLL_PARK_NANOS);
            return;
        }
        long beganNanos = nanoClock.getAsLong();
        List<SourceRecord> records;
        try {
            records = task.poll();
        } catch (RetriableException e) {
            // Debezium throws away what is in its queue, the rest of the run too, and begins anew at the committed
            // offset.
            intake.dropRun();
            beginsAnew = true;
            throw e;
        }
        if (records == null || records.isEmpty()) {
            if (lastRun.endsWithNothing()) {
                // First, since a boundary that the task asks for now lies behind it.
                intake.endRun();
            }
            context.transactions().batchPolled(null);
            lagMs = Double.isNaN(lagMs) ? lagMs : 0;
            LockSupport.parkNanos(EMPTY_POLL_PARK_NANOS);
            return;
        }
        long endedNanos = nanoClock.getAsLong();
        SourceRecord last = records.get(records.size() - 1);
        double ageMs = EventAge.ms(last, System.currentTimeMillis());
        // A tombstone says nothing; the event before it did.
        lagMs = Double.isNaN(ageMs) ? lagMs : ageMs;
        context.transactions().batchPolled(last);
        intake.addAll(records, lastRun.mayGoOnBehind(records));
        long pauseNanos = spacing.pauseNanosAfter(beganNanos, endedNanos);
        if (pauseNanos > 0) {
            LockSupport.parkNanos(pauseNanos);
        }
    }

    /**
     * Whether a poll would have the task read the committed offset too soon: what is buffered here and not committed yet
     * would come twice. A worker that calls a task directly has nothing in between. A task that says itself where
     * transactions end may have to be polled for that, and is.
     */
    private boolean mustSettle() {
        beginsAnew &= unsettled > 0 && context.transactions().orNull() == null;
        return beginsAnew;
    }

    @Override
    public double lagMs() {
        return lagMs;
    }

    @Override
    public void handingOver(EventRecord event) {
        unsettled++;
        context.transactions().handingOver(event);
    }

    @Override
    public boolean isBoundaryPending() {
        return context.transactions().isBoundaryPending();
    }

    @Override
    public void drained() {
        context.transactions().drained();
    }

    @Override
    public void settled(EventRecord event) throws InterruptedException {
        unsettled--;
        confirmation.settled(event);
    }

    @Override
    public void committed(long durableBeforeNanos, long commits) throws InterruptedException {
        confirmation.committed(durableBeforeNanos, commits);
    }

    @Override
    public void abandon() {
        HostedHooks current = hooks;
        if (current != null) {
            current.abandon();
        }
    }

    @Override
    public void stop() {
        SourceTask stopping = task;
        task = null;
        if (stopping != null) {
            stopping.stop();
        }
    }
}
