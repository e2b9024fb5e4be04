package io.microbatch.connect.upstream.outbox;

import java.net.SocketTimeoutException;
import java.sql.SQLException;

/** Tells which failures are a statement's alone, so that the connection can be used on. Stateless; any thread. */
final class StatementLimit {

    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final String CANCELED = "57014";

    private StatementLimit() {}

    /** Whether somebody else held a lock for too long. */
    static boolean isLocked(SQLException failure) {
        return LOCK_NOT_AVAILABLE.equals(failure.getSQLState());
    }

    /** Whether the statement has not ended in its time, and was ended. */
    static boolean isCanceled(SQLException failure) {
        return CANCELED.equals(failure.getSQLState());
    }

    /** Whether the statement has not ended in its time, even if the connection is lost with it. */
    static boolean isTooLong(SQLException failure) {
        return isCanceled(failure) || failure.getCause() instanceof SocketTimeoutException;
    }
}
