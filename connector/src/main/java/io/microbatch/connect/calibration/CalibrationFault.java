package io.microbatch.connect.calibration;

/** The reason why calibration is not stored on disk, with its remedy. Immutable; any thread. */
enum CalibrationFault {
    /**
     * Another task or process holds the file. Retried soon, because a zombie predecessor releases it within seconds.
     */
    LOCKED(5_000, "stop the other holder, or give each task a calibration.directory that no other worker uses"),
    /** The directory or the file cannot be created, opened or written. */
    NOT_WRITABLE(60_000, "make calibration.directory a directory that the worker may write to"),
    /** The disk, the quota or the file's size limit is exhausted. */
    DISK_FULL(60_000, "free space where calibration.directory is"),
    /** A directory, pipe or device is in the place of the file. */
    NOT_A_FILE(60_000, "remove what is there, or choose another calibration.directory"),
    /** A symbolic link is in the place of the file. It is never followed. */
    LINK_REFUSED(60_000, "remove the link, or set calibration.directory to its target"),
    /** SQLite's JDBC driver would not interpret the directory setting as a directory. */
    BAD_PATH(-1, "give calibration.directory as a plain path"),
    /** The file is a SQLite database of another application. */
    FOREIGN_FILE(60_000, "choose another calibration.directory: the file there belongs to another application"),
    /** SQLite's native library cannot be extracted or loaded. Not retried, because the remedy needs a restart. */
    NO_NATIVE_LIBRARY(
            -1,
            "start the worker with -Dorg.sqlite.tmpdir set to a private directory on a file system"
                    + " mounted without noexec"),
    /** The file is damaged or has another schema version. Opening moves it aside and creates a new one. */
    CORRUPT(60_000, "none needed, the file is checked again, and replaced if damaged, within a minute"),
    IO_ERROR(60_000, "check the disk and the system log");

    private final long retryMs;
    private final String remedy;

    CalibrationFault(long retryMs, String remedy) {
        this.retryMs = retryMs;
        this.remedy = remedy;
    }

    /** The minimum time between two attempts to open, in milliseconds. Negative if another attempt cannot help. */
    long retryMs() {
        return retryMs;
    }

    /** The remedy, as the end of a sentence. */
    String remedy() {
        return remedy;
    }
}
