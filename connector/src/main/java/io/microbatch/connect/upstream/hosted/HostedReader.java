package io.microbatch.connect.upstream.hosted;

import io.microbatch.connect.ack.KeptPart;
import io.microbatch.connect.ack.SettledEvent;
import io.microbatch.connect.config.BoundaryConfig;
import io.microbatch.connect.config.HostedConfig;
import io.microbatch.connect.config.HostedConfig.PollAhead;
import io.microbatch.connect.upstream.Intake;
import io.microbatch.connect.upstream.Progress;
import io.microbatch.connect.upstream.UpstreamReader;
import io.microbatch.connect.upstream.hosted.debezium.ChangeEvent;
import io.microbatch.connect.upstream.hosted.debezium.Debezium;
import io.microbatch.connect.upstream.hosted.debezium.DebeziumSigns;
import io.microbatch.connect.upstream.hosted.debezium.LastRun;
import io.microbatch.connect.upstream.hosted.debezium.NextPoll;
import io.microbatch.connect.upstream.hosted.debezium.PollSpacing;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a hosted task on the reader thread, which calls initialize, start, poll and stop. Between polls it also calls
 * commitRecord and commit. During a poll a second thread calls them, as in an at-least-once worker. A Debezium task
 * gets no such call during a poll, because its polls do not wait for one.
 */
public final class HostedReader implements UpstreamReader {
    private static final Logger log = LoggerFactory.getLogger(HostedReader.class);

    /**
     * The pause after an empty poll. Connect polls again immediately, and so spins on tasks that do not wait
     * themselves.
     */
    private static final long EMPTY_POLL_PARK_NANOS = 500_000;

    /**
     * The pause between two checks whether the task may be polled. Connect is usually done soon, but may be paused for
     * hours.
     */
    private static final long FIRST_WAIT_NANOS = 100_000;

    private static final long LONGEST_WAIT_NANOS = 10_000_000;
    private static final int SHORT_WAITS = 100;

    private final String taskClass;
    private final ClassLoader loader;
    private final Map<String, String> settings;
    private final HostedTaskContext context;
    private SourceTask task;

    /** Written by the reader thread, read by the task thread. */
    private volatile HostedHooks hooks;

    private Confirmation confirmation;
    private final PollAhead ahead;
    private final boolean intervalBoundary;
    private final LongSupplier nanoClock;
    private LastRun lastRun;
    private PollSpacing spacing;
    private NextPoll nextPoll;

    private PollPermit permit;

    /** Null for a task that confirms by the last offset. */
    private EachRecordConfirmation eachRecord;

    private boolean notifiedDuringPolls;

    /** Whether Connect had not ended the transaction of an empty batch at the last look. */
    private boolean boundaryPending;

    /** The number of waits since the last poll. */
    private int waits;

    private KeptPart kept = KeptPart.ORIGIN;

    /** The next four are written by the reader thread and read by any. */
    private volatile double lagMs = Double.NaN;

    /** Whether the start of the task has returned. */
    private volatile boolean isStarted;

    /** Whether the last poll has asked to be repeated. */
    private volatile boolean isFailing;

    /** Null before the start, and for a task that is not Debezium's. */
    private volatile DebeziumSigns signs;

    /**
     * Prepares a hosted task. Creates nothing yet.
     *
     * @param pendingBoundary gets the transaction boundary that the hosted task requests after an empty batch; the task
     *     thread reads it before it checks whether any event is buffered, and runs it if none is; that leaves an action
     *     for the next poll of Connect; the hosted task is not polled before that
     */
    public HostedReader(
            Map<String, String> taskConfig,
            SourceTaskContext context,
            AtomicReference<Runnable> pendingBoundary,
            LongSupplier nanoClock) {
        this.taskClass = taskConfig.get(HostedConfig.TASK_CLASS);
        if (taskClass == null) {
            throw new ConnectException("The task configuration names no hosted task class; restart the connector");
        }
        this.loader = HostedClasses.loaderOf(taskConfig.get(HostedConfig.CLASS_CONFIG));
        this.settings = HostedConfig.taskSettings(taskConfig);
        this.context = new HostedTaskContext(context, taskConfig, pendingBoundary);
        this.ahead = PollAhead.of(taskConfig);
        this.intervalBoundary = BoundaryConfig.from(taskConfig).kind() == BoundaryConfig.Kind.INTERVAL;
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
        boolean isDebezium = Debezium.isTask(task.getClass());
        boolean lastOffsetWins = HostedHabits.lastOffsetWins(task.getClass());
        boolean definesTransactions = context.transactions().orNull() != null;
        Set<TaskTrait> traits = HostedHabits.traits(task.getClass(), definesTransactions);
        eachRecord = lastOffsetWins
                ? null
                : new EachRecordConfirmation(
                        guarded, traits, ahead, HostedHabits.commitSpacingNanos(task.getClass()), nanoClock);
        if (definesTransactions && traits.contains(TaskTrait.ACKNOWLEDGES_ON_COMMIT) && ahead != PollAhead.ALWAYS) {
            log.warn("The hosted task has a commit method and ends transactions itself. If it acknowledges in commit "
                    + "all that it has returned, let each of its polls end with a transaction. Otherwise a stop or "
                    + "a crash loses records, as without hosting");
        }
        confirmation = lastOffsetWins ? new DurableOffsetConfirmation(guarded) : eachRecord;
        notifiedDuringPolls = traits.contains(TaskTrait.WAITS_FOR_NOTIFICATION);
        permit = new PollPermit(ahead, traits, intervalBoundary);
        kept = HostedHabits.keptPart(task.getClass());
        // A task that defines its own transactions has decided whether one may end within a run.
        lastRun = definesTransactions ? LastRun.endsWithThePoll() : LastRun.of(task.getClass(), settings, nanoClock);
        spacing = PollSpacing.of(task.getClass(), settings);
        signs = isDebezium ? new DebeziumSigns(settings, ManagementFactory.getPlatformMBeanServer()) : null;
        task.initialize(context);
        task.start(settings);
        // Not before the task has accepted its settings.
        nextPoll = NextPoll.of(task.getClass(), settings);
        isStarted = true;
    }

    @Override
    public void fetch(Intake intake) throws InterruptedException {
        if (boundaryPending || !permit.mayPoll()) {
            intake.requestDrain();
            intake.heard();
            LockSupport.parkNanos(waitNanos(waits++));
            return;
        }
        waits = 0;
        long beganNanos = nanoClock.getAsLong();
        List<SourceRecord> records = poll(intake, beganNanos);
        long endedNanos = nanoClock.getAsLong();
        permit.ended(endedNanos, !records.isEmpty());
        long nextNanos = nextPoll.returnsAtNanos(beganNanos, endedNanos, records.size());
        if (records.isEmpty()) {
            handOverNothing(intake, nextNanos);
            return;
        }
        handOver(records, intake, nextNanos);
        long pauseNanos = spacing.pauseNanosAfter(beganNanos, endedNanos);
        if (pauseNanos > 0) {
            LockSupport.parkNanos(pauseNanos);
        }
    }

    private List<SourceRecord> poll(Intake intake, long nowNanos) throws InterruptedException {
        permit.begun(nowNanos);
        if (eachRecord != null) {
            eachRecord.polls(nowNanos);
        }
        try {
            List<SourceRecord> records =
                    withoutNulls(notifiedDuringPolls ? intake.letThrough(task::poll) : task.poll());
            isFailing = false;
            return records;
        } catch (RetriableException | org.apache.kafka.common.errors.RetriableException e) {
            // Debezium discards its queue, including the rest of the run, and restarts at the committed offset.
            intake.dropRun();
            permit.failed();
            isFailing = true;
            if (signs != null) {
                signs.failed();
            }
            // To Connect it is a poll without records, whose boundary comes before all later ones.
            try {
                emptyPolled(intake);
            } catch (ConnectException refused) {
                refused.addSuppressed(e);
                throw refused;
            }
            throw e;
        }
    }

    /** To Connect no list is an empty one, and a null in a list a dropped record. */
    private static List<SourceRecord> withoutNulls(List<SourceRecord> polled) {
        if (polled == null) {
            return List.of();
        }
        for (SourceRecord record : polled) {
            if (record == null) {
                return polled.stream().filter(Objects::nonNull).toList();
            }
        }
        return polled;
    }

    private void handOver(List<SourceRecord> records, Intake intake, long nextNanos) throws InterruptedException {
        if (signs != null) {
            signs.returned();
        }
        SourceRecord last = records.get(records.size() - 1);
        double ageMs = ChangeEvent.lastAgeMs(records, System.currentTimeMillis());
        // A poll of heartbeats alone says nothing of the age; the previous poll's stays.
        lagMs = Double.isNaN(ageMs) ? lagMs : ageMs;
        context.transactions().batchPolled(last);
        intake.addAll(records, lastRun.mayContinueAfter(records), nextNanos, context.transactions()::handingOver);
    }

    private void handOverNothing(Intake intake, long nextNanos) throws InterruptedException {
        if (lastRun.endsWithEmptyPoll()) {
            // First, because a boundary that the task requests now comes after the run.
            intake.endRun(nextNanos);
        } else {
            intake.pausesUntil(nextNanos);
        }
        emptyPolled(intake);
        // The lag stays: an empty poll does not tell an upstream that has nothing from one that hangs.
        LockSupport.parkNanos(EMPTY_POLL_PARK_NANOS);
    }

    private void emptyPolled(Intake intake) {
        context.transactions().batchPolled(null);
        if (context.transactions().isBoundaryPending()) {
            // The task thread may wait for an event, and none comes before the boundary.
            intake.wakeTask();
        }
    }

    private static long waitNanos(int waits) {
        return waits < SHORT_WAITS
                ? FIRST_WAIT_NANOS
                : Math.min(LONGEST_WAIT_NANOS, FIRST_WAIT_NANOS * (waits / SHORT_WAITS + 1));
    }

    @Override
    public double lagMs() {
        return lagMs;
    }

    @Override
    public double connected() {
        DebeziumSigns current = signs;
        // Connect shows the task as running even if its start hangs or is tried again.
        if (!isStarted || isFailing) {
            return 0;
        }
        return current == null ? Double.NaN : current.connected();
    }

    @Override
    public double heartbeatMs() {
        DebeziumSigns current = signs;
        return current == null ? Double.NaN : current.heartbeatMs();
    }

    @Override
    public KeptPart keptPart() {
        return kept;
    }

    @Override
    public void settled(SettledEvent event) {
        confirmation.settled(event);
    }

    @Override
    public void committed(Progress progress) {
        // First, so that the commit of its transaction is passed on before the next poll.
        boundaryPending = context.transactions().isBoundaryPending();
        confirmation.committed(progress);
        long owedNanos = eachRecord == null ? 0 : eachRecord.owedNanos();
        permit.committed(progress, owedNanos, nanoClock.getAsLong());
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
        isStarted = false;
        SourceTask stopping = task;
        task = null;
        try {
            if (stopping != null) {
                stopping.stop();
            }
        } finally {
            context.removeMetrics();
        }
    }
}
