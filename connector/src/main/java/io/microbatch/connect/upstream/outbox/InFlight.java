package io.microbatch.connect.upstream.outbox;

import io.microbatch.connect.ack.SettledEvent;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Optional;

/** The rows that were handed over and are not settled, in this order. One thread. */
final class InFlight {

    private final ArrayDeque<RowId> rows = new ArrayDeque<>();

    /** The first of them, of which none is deleted. */
    private int forgotten;

    /** A row is about to be handed over. Called before, because the intake may let it be settled. */
    void add(RowId row) {
        rows.addLast(row);
    }

    /** The last row was not handed over. */
    void takeBack() {
        RowId ignored = rows.removeLast();
    }

    /**
     * The next row, which the event is of. Empty if it is forgotten.
     *
     * @throws IllegalStateException if the event is of another row, so that it is not known which rows Kafka has
     */
    Optional<RowId> settled(SettledEvent event) {
        RowId row = rows.removeFirst();
        if (!Objects.equals(event.sourceOffset().get(OutboxPosition.SEQ_FIELD), row.seq())) {
            throw new IllegalStateException("Row " + row.seq() + " is not the next that was handed over");
        }
        if (forgotten > 0) {
            forgotten--;
            return Optional.empty();
        }
        return Optional.of(row);
    }

    /** The rows are of another server, or of another table. */
    void forget() {
        forgotten = rows.size();
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }
}
