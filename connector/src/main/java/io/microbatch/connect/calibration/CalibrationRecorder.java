package io.microbatch.connect.calibration;

import java.time.Clock;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The slow loop's thread: {@code <connector>-<task>-calibration}, a daemon, which alone opens, uses and closes the
 * calibration file, so that a slow disk is never felt by a poll. It looks for finished windows a few times in the time
 * of one, so that what is learned from a window is in force soon after its end, and keeps them and the conclusions.
 *
 * <p>{@link #start} and {@link #close} belong to the task's thread; {@link #status} may be called by any. Nothing about
 * a failing file is thrown. The window that is unfinished at the end is not kept.
 */
public final class CalibrationRecorder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CalibrationRecorder.class);
    private static final long CLOSE_TIMEOUT_MS = 1_000;
    private static final long LOOKS_PER_WINDOW = 50;
    private static final long LONGEST_PAUSE_MS = 200;

    private final Supplier<CalibrationFile> opener;
    private final Supplier<List<Observation>> windows;
    private final WindowLearner learner;
    private final long pauseMs;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;

    /** Calibration thread only; null until its first round. */
    private CalibrationFile file;

    private boolean bestsTold;
    private boolean failureLogged;

    /** Written by the calibration thread, read by any. */
    private volatile CalibrationStatus status = new CalibrationStatus(false, "not opened yet", 0, 0);

    /**
     * Does nothing until {@link #start}.
     *
     * @param threadName what its thread is called
     * @param directory the worker's calibration directory
     * @param key what the calibration is valid for; asked for on the calibration thread, since the name of the host
     *     may take a look-up
     * @param windowMs length of a window, milliseconds, at least 1
     * @param windows the observations since the last call, possibly none; called on the calibration thread
     * @param learner who learns from them
     */
    public CalibrationRecorder(
            String threadName,
            String directory,
            Supplier<CalibrationKey> key,
            long windowMs,
            Supplier<List<Observation>> windows,
            WindowLearner learner) {
        this(
                () -> CalibrationFile.open(directory, key.get(), Clock.systemUTC(), System::nanoTime),
                threadName,
                windowMs,
                windows,
                learner);
    }

    CalibrationRecorder(
            Supplier<CalibrationFile> opener,
            String threadName,
            long windowMs,
            Supplier<List<Observation>> windows,
            WindowLearner learner) {
        Ranges.checkWhole("windowMs", windowMs, 1, Ranges.MAX_DURATION_MS);
        this.opener = opener;
        this.windows = windows;
        this.learner = learner;
        this.pauseMs = Math.max(1, Math.min(LONGEST_PAUSE_MS, windowMs / LOOKS_PER_WINDOW));
        thread = new Thread(this::run, threadName);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((t, e) -> LOG.error("Calibration ends: its thread {} failed", t, e));
    }

    /** Starts the thread; the file is opened there. Once only. */
    public void start() {
        thread.start();
    }

    /** How calibration fared at the end of the last round. */
    public CalibrationStatus status() {
        return status;
    }

    /** Lets the thread end by itself, which closes the file, without waiting for it. */
    public void requestStop() {
        stopped.countDown();
    }

    /** Ends the thread, which closes the file itself. Returns within a second even if the disk hangs. */
    @Override
    public void close() {
        requestStop();
        try {
            thread.join(CLOSE_TIMEOUT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            // Not interrupted: SQLite would not notice, and the lock's channel would be closed under it.
            LOG.warn("{} still waits for the disk; it closes the calibration file when that answers", thread.getName());
        }
    }

    private void run() {
        try {
            do {
                runOnce();
            } while (!stopped.await(pauseMs, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            LOG.debug("Interrupted: calibration ends", e);
            Thread.currentThread().interrupt();
        } finally {
            closeFile();
        }
    }

    /** One round on the calling thread, which owns the file from then on. */
    void runOnce() {
        if (file == null) {
            file = opener.get();
        }
        file.retryIfDue();
        tellBests();
        keepWindows();
        status = file.status();
    }

    /** Closes the file on the thread that owns it. */
    void closeFile() {
        if (file != null) {
            file.close();
        }
    }

    /** Once, as soon as there is a file: one that a predecessor still held is opened some rounds later. */
    private void tellBests() {
        if (!bestsTold && file.status().durable()) {
            bestsTold = true;
            learner.opened(file.bests());
        }
    }

    private void keepWindows() {
        guarded(() -> windows.get().forEach(observation -> guarded(() -> keep(observation))));
    }

    private void keep(Observation observation) {
        file.append(observation);
        // That may have opened it, and what is learned now would replace what is in it.
        tellBests();
        learner.learn(observation).ifPresent(file::putBest);
    }

    /** A figure out of range, say, in one window: a window without calibration is better than a task without it. */
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            if (!failureLogged) {
                failureLogged = true;
                LOG.warn("Nothing was learned from a window; later failures of this kind are not logged", e);
            }
        }
    }
}
