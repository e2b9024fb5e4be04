package io.microbatch.connect.calibration;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.sql.SQLException;

/** A failure of the calibration file, with its kind. Checked, so that no caller lets it reach the task by accident. */
final class CalibrationException extends Exception {
    private final CalibrationFault fault;

    CalibrationException(CalibrationFault fault, String message, Throwable cause) {
        super(message, cause);
        this.fault = fault;
    }

    CalibrationException(CalibrationFault fault, String message) {
        this(fault, message, null);
    }

    static CalibrationException of(SQLException e, Path file) {
        return new CalibrationException(faultOf(e.getErrorCode()), file + ": " + e.getMessage(), e);
    }

    static CalibrationException of(IOException e, Path file) {
        // The message of a FileSystemException is often only the path. Then its class names the failure.
        String reason = e instanceof FileSystemException f && f.getReason() != null ? f.getReason() : e.toString();
        // Java has no type for a full disk; these are the system's texts for ENOSPC and EDQUOT.
        boolean full = reason.contains("No space left") || reason.contains("quota exceeded");
        return new CalibrationException(
                full ? CalibrationFault.DISK_FULL : CalibrationFault.NOT_WRITABLE, file + ": " + reason, e);
    }

    CalibrationFault fault() {
        return fault;
    }

    /** Maps SQLite's primary result codes, which its documentation promises never to change. */
    private static CalibrationFault faultOf(int resultCode) {
        return switch (resultCode & 0xff) {
            case 5, 6 -> CalibrationFault.LOCKED; // BUSY, LOCKED
            case 3, 8, 14 -> CalibrationFault.NOT_WRITABLE; // PERM, READONLY, CANTOPEN
            case 13 -> CalibrationFault.DISK_FULL; // FULL
            // CORRUPT, NOTADB, and ERROR: our statements are fixed, so if one fails to compile or to run, the file's
            // schema does not match its version number. TOOBIG: no value or statement of ours is as long.
            case 1, 11, 18, 26 -> CalibrationFault.CORRUPT;
            default -> CalibrationFault.IO_ERROR;
        };
    }
}
