package io.microbatch.connect.calibration;

/** Why calibration is not kept on disk, with the cure in words. Immutable; any thread. */
public enum CalibrationFault {
    /** Another task or process has the file. A zombie predecessor lets go within seconds, so this is retried soon. */
    LOCKED(5_000, "stop the other holder, or give each task a calibration directory that no other worker uses"),
    /** The directory or the file cannot be created, opened or written. */
    NOT_WRITABLE(60_000, "make the calibration directory a directory that the worker may write to"),
    /** The disk, the quota or the file's own size limit is exhausted. */
    DISK_FULL(60_000, "free space where the calibration directory is"),
    /** A directory, pipe or device where a plain file is expected. */
    NOT_A_FILE(60_000, "remove what is there, or choose another calibration directory"),
    /** A symbolic link where a plain file is expected: never followed. */
    LINK_REFUSED(60_000, "remove the link, or point the calibration directory at the place itself"),
    /** A directory text that SQLite's JDBC driver would take for something other than a directory. */
    BAD_PATH(-1, "give the calibration directory as a plain path"),
    /** Written by a newer version, which knows what this one would destroy. */
    NEWER_SCHEMA(60_000, "run the newer version, or move the file away to begin again"),
    /** A SQLite database that is something else than calibration. */
    FOREIGN_FILE(60_000, "choose another calibration directory: the file there belongs to another application"),
    /** SQLite's native library cannot be extracted or loaded; not retried, for the cure needs a restart. */
    NO_NATIVE_LIBRARY(
            -1,
            "start the worker with -Dorg.sqlite.tmpdir set to a private directory on a file system"
                    + " mounted without noexec"),
    /** The file is damaged. On opening it is moved aside and a new one begun. */
    CORRUPT(60_000, "nothing to do: the file is checked again, and replaced if damaged, within a minute"),
    /** The operating system failed to read or write. */
    IO_ERROR(60_000, "look at the disk and at the system log");

    private final long retryMs;
    private final String cure;

    CalibrationFault(long retryMs, String cure) {
        this.retryMs = retryMs;
        this.cure = cure;
    }

    /** Least time between two attempts to open, milliseconds; negative when trying again cannot help. */
    long retryMs() {
        return retryMs;
    }

    /** What a person can do about it. */
    public String cure() {
        return cure;
    }
}
