package io.microbatch.bench.faults;

import io.microbatch.bench.http.Ledger;
import io.microbatch.bench.http.Outcome;
import io.microbatch.testbed.oracle.Event;
import io.microbatch.testbed.oracle.Findings;
import io.microbatch.testbed.oracle.Oracle;
import java.util.function.IntToLongFunction;

/**
 * What clients were told of their events, for the oracle. It sees only events that were answered with 200, with new
 * numbers: of the others it cannot know whether they are to be there. One thread.
 */
final class AnsweredEvents {

    private static final int NO_RANK = -1;

    private final long run;
    private final Ledger ledger;
    /** The number of each event among those of its client that were answered with 200. */
    private final int[][] ranks;

    private final long[] expected;
    private long refusedPresent;

    /** Of a ledger that is complete. */
    AnsweredEvents(long run, Ledger ledger) {
        this.run = run;
        this.ledger = ledger;
        this.ranks = new int[ledger.clients()][];
        this.expected = new long[ledger.clients()];
        for (int client = 0; client < ranks.length; client++) {
            ranks[client] = new int[ledger.requests(client)];
            int rank = 0;
            for (int number = 0; number < ranks[client].length; number++) {
                boolean written = ledger.outcome(client, number) == Outcome.WRITTEN;
                ranks[client][number] = written ? rank++ : NO_RANK;
            }
            expected[client] = rank;
        }
    }

    /** How many events of each client were answered with 200. */
    long[] expected() {
        return expected.clone();
    }

    /**
     * Shows the oracle a record of the topic.
     *
     * @param event null if it was altered
     */
    void show(Event event, long appendedMs, Oracle oracle) {
        boolean isKnown = event != null
                && event.run() == run
                && event.partition() < ranks.length
                && event.sequence() < ranks[event.partition()].length;
        if (!isKnown) {
            // An event that no client has sent: beyond what the oracle expects of its client.
            oracle.saw(event == null ? null : beyond(event), appendedMs);
            return;
        }
        int client = event.partition();
        int number = Math.toIntExact(event.sequence());
        int rank = ranks[client][number];
        if (rank != NO_RANK) {
            oracle.saw(new Event(run, client, rank, event.madeEpochMs()), appendedMs);
        } else if (ledger.outcome(client, number) == Outcome.NOT_WRITTEN) {
            refusedPresent++;
        }
    }

    private Event beyond(Event event) {
        return new Event(event.run(), event.partition(), Long.MAX_VALUE, event.madeEpochMs());
    }

    /**
     * What was found once all records were shown.
     *
     * @param requests how many requests had each outcome, by its ordinal
     */
    HttpResult result(Findings found, IntToLongFunction requests, long hung) {
        return new HttpResult(
                requests.applyAsLong(Outcome.WRITTEN.ordinal()),
                requests.applyAsLong(Outcome.NOT_WRITTEN.ordinal()),
                requests.applyAsLong(Outcome.UNKNOWN.ordinal()),
                found.lost(),
                found.duplicated(),
                refusedPresent,
                hung);
    }
}
