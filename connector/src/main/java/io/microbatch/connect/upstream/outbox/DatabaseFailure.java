package io.microbatch.connect.upstream.outbox;

import java.sql.SQLException;
import java.util.List;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;

/** Tells failures that pass from those that need somebody. Stateless; any thread. */
final class DatabaseFailure {

    /**
     * Connections, resources, an operator's intervention, the system, deadlocks, a lock that is held, a standby, and a
     * statement whose plan or name the server has lost.
     */
    private static final List<String> PASSING =
            List.of("08", "53", "57", "58", "40", "55P03", "55000", "25006", "0A000", "26000");

    private DatabaseFailure() {}

    /** The exception for Connect. Its message has the statement's purpose, and not its text. */
    static ConnectException of(SQLException failure, String purpose) {
        String state = failure.getSQLState();
        String text = "The outbox: " + purpose + " has failed (SQLSTATE " + state + ")";
        return isPassing(state) ? new RetriableException(text, failure) : new ConnectException(text, failure);
    }

    private static boolean isPassing(String state) {
        return state == null || PASSING.stream().anyMatch(state::startsWith);
    }
}
