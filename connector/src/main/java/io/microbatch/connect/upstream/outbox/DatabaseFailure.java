package io.microbatch.connect.upstream.outbox;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;

/**
 * Tells failures of the database that pass from those that need somebody. What may be either is taken for passing until
 * nothing has succeeded for some minutes. One thread.
 */
final class DatabaseFailure {

    static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(5);

    /** Connections, resources, an operator's intervention. */
    private static final List<String> PASSING = List.of("08", "53", "57P");

    /** Conflicts of transactions, and a lock that is held. The connection is as good as before. */
    private static final List<String> CONFLICTS = List.of("40", "55P03");

    private static final String CANCELED = "57014";

    /** What passes by itself, or never, with what cures it. */
    private static final Map<String, String> DOUBTFUL = doubtful();

    private final LongSupplier nanoClock;
    private boolean isDoubted;
    private long doubtedSinceNanos;

    DatabaseFailure(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    private static Map<String, String> doubtful() {
        Map<String, String> cures = new LinkedHashMap<>();
        cures.put("0A000", "look into the server's log for what it does not support");
        cures.put("25006", "remove default_transaction_read_only from the user, and name the primary in the URL");
        cures.put("26000", "add prepareThreshold=0 to the URL, as a connection pooler in transaction mode needs it");
        cures.put("42P05", "add prepareThreshold=0 to the URL, as a connection pooler in transaction mode needs it");
        cures.put("55000", "name the primary in the URL, and look into the server's log");
        cures.put(CANCELED, "raise the user's statement_timeout, or lower upstream.outbox.page.rows");
        cures.put("58", "look into the server's log for the failure of its system");
        return cures;
    }

    /**
     * The exception for Connect. Its message has the statement's purpose, and not its text.
     *
     * @return a {@link RetriableException} if the failure may pass
     */
    ConnectException of(SQLException failure, String purpose) {
        String state = String.valueOf(failure.getSQLState());
        String text = "The outbox: " + purpose + " has failed (SQLSTATE " + state + ")";
        if (hasClass(state, PASSING) || hasClass(state, CONFLICTS)) {
            return new RetriableException(text, failure);
        }
        String cure = DOUBTFUL.entrySet().stream()
                .filter(each -> state.startsWith(each.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
        if (cure == null) {
            return new ConnectException(text, failure);
        }
        return isWithinLimit()
                ? new RetriableException(text, failure)
                : new ConnectException(
                        text + ", again and again for " + TimeUnit.NANOSECONDS.toMinutes(LIMIT_NANOS) + " minutes: "
                                + cure,
                        failure);
    }

    private boolean isWithinLimit() {
        long nowNanos = nanoClock.getAsLong();
        if (!isDoubted) {
            isDoubted = true;
            doubtedSinceNanos = nowNanos;
        }
        return nowNanos - doubtedSinceNanos < LIMIT_NANOS;
    }

    /** Everything that was asked has succeeded. */
    void succeeded() {
        isDoubted = false;
    }

    /** Whether only the statement has failed, and can be repeated on the same connection. */
    static boolean keepsConnection(SQLException failure) {
        String state = String.valueOf(failure.getSQLState());
        return hasClass(state, CONFLICTS) || state.equals(CANCELED);
    }

    private static boolean hasClass(String state, List<String> classes) {
        return classes.stream().anyMatch(state::startsWith);
    }
}
