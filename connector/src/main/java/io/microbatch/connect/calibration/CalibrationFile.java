package io.microbatch.connect.calibration;

import io.microbatch.connect.pressure.PressureLevel;
import java.time.Clock;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task's calibration, on disk where that works and in memory where it does not. No failure of the disk, the file or
 * SQLite comes out of it: the first one of its kind is logged with the cure, writes that do not reach the disk are
 * counted, and opening is tried again at most once a minute (a locked file: every five seconds).
 *
 * <p>Belongs to the thread that opened it; another one gets IllegalStateException, for that is a mistake in the program
 * and not a failing disk.
 */
public final class CalibrationFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CalibrationFile.class);

    /** Opens the file once; the façade decides when. */
    @FunctionalInterface
    interface Opener {
        /** The open store. */
        CalibrationStore open() throws CalibrationException;
    }

    /** A write to the store. */
    @FunctionalInterface
    private interface Write {
        /** Does it. */
        void to(CalibrationStore store) throws CalibrationException;
    }

    private final Thread owner = Thread.currentThread();
    private final Opener opener;
    private final LongSupplier nanoTime;
    private final Consumer<String> warnings;
    private final Map<PressureLevel, LevelBest> known = new EnumMap<>(PressureLevel.class);

    /** Null while the disk does not work. */
    private CalibrationStore store;

    private CalibrationFault fault;
    private CalibrationFault lastWarned;
    private String reason = "";
    private long nextAttemptNanos;
    private long droppedWrites;
    private long skippedByClosedStores;

    CalibrationFile(Opener opener, LongSupplier nanoTime, Consumer<String> warnings) {
        this.opener = opener;
        this.nanoTime = nanoTime;
        this.warnings = warnings;
        attempt();
    }

    /**
     * Opens the calibration of a key's task; always answers.
     *
     * @param directory the worker's calibration directory, a plain path; created if missing
     * @param key what the calibration is valid for
     * @param clock for names of files moved aside and for the age of keys
     * @param nanoTime monotonic time in nanoseconds, for the pauses between attempts
     */
    public static CalibrationFile open(String directory, CalibrationKey key, Clock clock, LongSupplier nanoTime) {
        return new CalibrationFile(
                () -> SqliteCalibrationStore.open(directory, key, StoreLimits.DEFAULT, clock), nanoTime, LOG::warn);
    }

    /** Opens again if the disk did not work and it is time to look. To be called now and then. */
    public void retryIfDue() {
        requireOwner();
        if (store == null && fault.retryMs() >= 0 && nanoTime.getAsLong() - nextAttemptNanos >= 0) {
            attempt();
        }
    }

    /** Keeps an observation. */
    public void append(Observation observation) {
        requireOwner();
        write(s -> s.append(observation));
    }

    /** Keeps a level's best in place of the one before. */
    public void putBest(LevelBest best) {
        requireOwner();
        known.put(best.level(), best);
        write(s -> s.putBest(best));
    }

    /** The best of each level that has one; from memory, which is filled from the file when that is opened. */
    public Map<PressureLevel, LevelBest> bests() {
        requireOwner();
        return Map.copyOf(known);
    }

    /** How it fares at this moment. */
    public CalibrationStatus status() {
        requireOwner();
        long skipped = skippedByClosedStores + (store == null ? 0 : store.skippedRows());
        return new CalibrationStatus(store != null, reason, droppedWrites, skipped);
    }

    /** Closes the file; with or without one, nothing may be called afterwards. */
    @Override
    public void close() {
        requireOwner();
        closeStore();
    }

    private void attempt() {
        try {
            store = opener.open();
            // What this process learned while the file was away is younger than what the file says.
            store.bests().forEach(known::putIfAbsent);
            fault = null;
            reason = "";
        } catch (CalibrationException | RuntimeException | LinkageError e) {
            degrade(e);
        }
    }

    private void write(Write write) {
        retryIfDue();
        if (store == null) {
            droppedWrites++;
            return;
        }
        try {
            write.to(store);
            if (lastWarned != null) {
                LOG.info("Calibration is kept on disk again; {} writes were dropped", droppedWrites);
                lastWarned = null;
            }
        } catch (CalibrationException | RuntimeException e) {
            droppedWrites++;
            degrade(e);
        }
    }

    /** Any failure ends the connection: opening again checks everything, and is cheap once a minute. */
    private void degrade(Throwable e) {
        closeStore();
        fault = e instanceof CalibrationException c ? c.fault() : CalibrationFault.IO_ERROR;
        reason = "Calibration is kept in memory only: " + (e instanceof CalibrationException ? e.getMessage() : e)
                + "; to cure it, " + fault.cure();
        nextAttemptNanos = nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(fault.retryMs());
        if (fault != lastWarned) {
            lastWarned = fault;
            warnings.accept(reason);
            LOG.debug("Calibration failed", e);
        }
    }

    private void closeStore() {
        if (store != null) {
            skippedByClosedStores += store.skippedRows();
            store.close();
            store = null;
        }
    }

    private void requireOwner() {
        if (Thread.currentThread() != owner) {
            throw new IllegalStateException("calibration belongs to thread " + owner.getName());
        }
    }
}
