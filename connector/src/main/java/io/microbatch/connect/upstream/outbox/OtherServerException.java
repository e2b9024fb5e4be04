package io.microbatch.connect.upstream.outbox;

import java.sql.SQLException;

/**
 * The statement was answered by another server, or for another table of the name, than the one of the position: a
 * standby took over, a pooler has switched, or the table was replaced. Its transactions are others, under the same ids.
 */
final class OtherServerException extends SQLException {

    private static final long serialVersionUID = 1;

    OtherServerException() {
        super("Another server, database or table has answered", "08006");
    }
}
