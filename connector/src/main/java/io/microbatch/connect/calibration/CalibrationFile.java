package io.microbatch.connect.calibration;

import io.microbatch.connect.learning.LevelBest;
import io.microbatch.connect.learning.Observation;
import io.microbatch.connect.pressure.PressureLevel;
import java.time.Clock;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task's calibration, on disk if that works and otherwise in memory. It throws no failure of the disk, the file or
 * SQLite. It logs the first failure of each kind with its remedy (a missing native library: once for all tasks), counts
 * the writes that did not reach the disk, and tries to open the file again at most once a minute (a locked file: every
 * five seconds).
 *
 * <p>It belongs to the thread that opened it. Any other thread gets IllegalStateException, because closing SQLite from
 * a second thread has crashed JVMs.
 */
public final class CalibrationFile implements AutoCloseable {
    /** "mbca": identifies a SQLite file as calibration before anything in it is touched. */
    public static final int APPLICATION_ID = 0x6d626361;

    /** The only schema that this version reads. A file with another one is moved aside. */
    public static final int SCHEMA_VERSION = 4;

    private static final Logger log = LoggerFactory.getLogger(CalibrationFile.class);

    /** The warnings that concern all tasks of the worker alike. Each is logged once, by the first task. */
    private static final Set<String> LOGGED_FOR_THE_WORKER = ConcurrentHashMap.newKeySet();

    @FunctionalInterface
    interface Opener {
        CalibrationStore open() throws CalibrationException;
    }

    @FunctionalInterface
    private interface Write {
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
    private long nextAttemptNanos;
    private long droppedWrites;

    CalibrationFile(Opener opener, LongSupplier nanoTime, Consumer<String> warnings) {
        this.opener = opener;
        this.nanoTime = nanoTime;
        this.warnings = warnings;
        attempt();
    }

    /** Opens the calibration of a key's task. Never fails. Creates the directory if it is missing. */
    public static CalibrationFile open(String directory, CalibrationKey key, Clock clock, LongSupplier nanoTime) {
        return new CalibrationFile(
                () -> CalibrationStore.open(directory, key, StoreLimits.DEFAULT, clock), nanoTime, log::warn);
    }

    /** Tries to open the file again if that is due. Call it repeatedly. */
    public void retryIfDue() {
        requireOwner();
        if (store == null && fault.retryMs() >= 0 && nanoTime.getAsLong() - nextAttemptNanos >= 0) {
            attempt();
        }
    }

    public void append(Observation observation) {
        requireOwner();
        write(s -> s.append(observation));
    }

    /** Stores a level's best and replaces the previous one. */
    public void putBest(LevelBest best) {
        requireOwner();
        known.put(best.level(), best);
        write(s -> s.putBest(best));
    }

    /** The best of each level that has one, from memory. Opening the file fills the memory. */
    public Map<PressureLevel, LevelBest> bests() {
        requireOwner();
        return Map.copyOf(known);
    }

    public boolean isDurable() {
        requireOwner();
        return store != null;
    }

    /** The number of writes that did not reach the disk. */
    long droppedWrites() {
        return droppedWrites;
    }

    /** Closes the file. Nothing may be called afterwards. */
    @Override
    public void close() {
        requireOwner();
        closeStore();
    }

    private void attempt() {
        try {
            store = opener.open();
            // Results of this process, learned while the file was closed, are younger than those in the file.
            store.bests().forEach(known::putIfAbsent);
            fault = null;
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
                log.info("Calibration is stored on disk again; {} writes were dropped", droppedWrites);
                lastWarned = null;
            }
        } catch (CalibrationException | RuntimeException e) {
            droppedWrites++;
            degrade(e);
        }
    }

    /** Closes the file after any failure: the next opening checks everything, which is cheap once a minute. */
    private void degrade(Throwable e) {
        closeStore();
        fault = e instanceof CalibrationException c ? c.fault() : CalibrationFault.IO_ERROR;
        nextAttemptNanos = nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(fault.retryMs());
        if (fault != lastWarned) {
            lastWarned = fault;
            String warning = "Calibration is kept in memory only: "
                    + (e instanceof CalibrationException ? e.getMessage() : e) + "; remedy: " + fault.remedy();
            if (fault != CalibrationFault.NO_NATIVE_LIBRARY || LOGGED_FOR_THE_WORKER.add(warning)) {
                warnings.accept(warning);
            }
            log.debug("Calibration failed", e);
        }
    }

    private void closeStore() {
        if (store != null) {
            store.close();
            store = null;
        }
    }

    private void requireOwner() {
        if (Thread.currentThread() != owner) {
            throw new IllegalStateException("calibration belongs to thread " + owner.getName() + ", not to "
                    + Thread.currentThread().getName());
        }
    }
}
