package io.microbatch.connect.calibration;

import io.microbatch.connect.learning.Observation;
import io.microbatch.connect.learning.WindowLearner;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The slow loop's thread, a daemon. It alone opens, uses and closes the calibration file, so that a slow disk never
 * delays a poll. Several times per window it takes the finished windows, and stores them and the learner's results, so
 * that a result is in force soon after its window.
 *
 * <p>{@link #start} and {@link #close} belong to the task's thread. No failure of the file is thrown. An unfinished
 * window is lost at the end.
 */
public final class CalibrationRecorder implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(CalibrationRecorder.class);
    private static final long CLOSE_TIMEOUT_MS = 1_000;
    private static final long LOOKS_PER_WINDOW = 50;
    private static final long MAX_PAUSE_MS = 200;

    private final Supplier<Optional<CalibrationFile>> opener;
    private final Supplier<List<Observation>> windows;
    private final WindowLearner learner;
    private final long pauseMs;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;

    /** Calibration thread only. Null until the key is known. */
    private CalibrationFile file;

    private boolean bestsPassed;
    private boolean failureLogged;

    /**
     * Does nothing until {@link #start}.
     *
     * @param key the conditions under which the calibration is valid, empty until they are known; called on the
     *     calibration thread, because looking up the host's name may take long
     * @param windowMs the length of a window, milliseconds, at least 1
     * @param windows the windows that finished since the last call; called on the calibration thread
     */
    public CalibrationRecorder(
            String threadName,
            String directory,
            Supplier<Optional<CalibrationKey>> key,
            long windowMs,
            Supplier<List<Observation>> windows,
            WindowLearner learner) {
        this(
                () -> key.get().map(k -> CalibrationFile.open(directory, k, Clock.systemUTC(), System::nanoTime)),
                threadName,
                windowMs,
                windows,
                learner);
    }

    CalibrationRecorder(
            Supplier<Optional<CalibrationFile>> opener,
            String threadName,
            long windowMs,
            Supplier<List<Observation>> windows,
            WindowLearner learner) {
        this.opener = opener;
        this.windows = windows;
        this.learner = learner;
        this.pauseMs = Math.max(1, Math.min(MAX_PAUSE_MS, windowMs / LOOKS_PER_WINDOW));
        thread = new Thread(this::run, threadName);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((t, e) -> log.error("Calibration ends: its thread {} failed", t, e));
    }

    /** Starts the thread, which opens the file as soon as the key is known. Call it once. */
    public void start() {
        thread.start();
    }

    /** Asks the thread to close the file and to end. Does not wait for it. */
    public void requestStop() {
        stopped.countDown();
    }

    /** Ends the thread, which closes the file. Returns within a second even if the disk hangs. */
    @Override
    public void close() {
        requestStop();
        try {
            thread.join(CLOSE_TIMEOUT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            // No interrupt: SQLite would ignore it, and the channel of the lock would close.
            log.warn("{} still waits for the disk and will close the calibration file afterwards", thread.getName());
        }
    }

    private void run() {
        try {
            do {
                runOnce();
            } while (!stopped.await(pauseMs, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            log.debug("Interrupted: calibration ends", e);
            Thread.currentThread().interrupt();
        } finally {
            closeFile();
        }
    }

    /** Runs one round on the calling thread, which owns the file from then on. */
    void runOnce() {
        if (file == null) {
            file = opener.get().orElse(null);
        }
        if (file != null) {
            file.retryIfDue();
            passBests();
            guarded(() -> windows.get().forEach(observation -> guarded(() -> keep(observation))));
        }
    }

    /** Closes the file on the thread that owns it. */
    void closeFile() {
        if (file != null) {
            file.close();
        }
    }

    /**
     * Passes the stored bests to the learner once, when the file is open. A predecessor may hold the file for some
     * rounds.
     */
    private void passBests() {
        if (!bestsPassed && file.isDurable()) {
            bestsPassed = true;
            learner.opened(file.bests());
        }
    }

    private void keep(Observation observation) {
        file.append(observation);
        // The write may have opened the file. The next result would replace the best that is in it.
        passBests();
        learner.learn(observation).ifPresent(file::putBest);
    }

    /** Skips a window that fails, for example because of a number out of range. */
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            if (!failureLogged) {
                failureLogged = true;
                log.warn("Nothing was learned from a window; later failures of this kind are not logged", e);
            }
        }
    }
}
