package io.microbatch.bench.faults;

import io.microbatch.bench.http.Ledger;
import io.microbatch.bench.http.Outcome;
import io.microbatch.testbed.oracle.Event;
import io.microbatch.testbed.oracle.Findings;
import io.microbatch.testbed.oracle.Oracle;
import java.util.BitSet;
import java.util.function.IntToLongFunction;

/**
 * What clients were told of their requests, for the oracle. It sees only events of requests that were answered with
 * 200, with new numbers: of the others it cannot know whether they are to be there. One thread.
 */
final class AnsweredEvents {

    private static final int NO_RANK = -1;

    private final long run;
    private final Ledger ledger;
    private final int perRequest;
    /** The number of each request among those of its client that were answered with 200. */
    private final int[][] ranks;

    /** The events of each client that are there. */
    private final BitSet[] seen;

    private final long[] expected;
    private long refusedPresent;
    private long otherDuplicated;

    /**
     * Of a ledger that is complete.
     *
     * @param perRequest the events of a request
     */
    AnsweredEvents(long run, Ledger ledger, int perRequest) {
        this.run = run;
        this.ledger = ledger;
        this.perRequest = perRequest;
        this.ranks = new int[ledger.clients()][];
        this.seen = new BitSet[ledger.clients()];
        this.expected = new long[ledger.clients()];
        for (int client = 0; client < ranks.length; client++) {
            seen[client] = new BitSet();
            ranks[client] = new int[ledger.requests(client)];
            int rank = 0;
            for (int number = 0; number < ranks[client].length; number++) {
                boolean written = ledger.outcome(client, number) == Outcome.WRITTEN;
                ranks[client][number] = written ? rank++ : NO_RANK;
            }
            expected[client] = (long) rank * perRequest;
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
                && event.sequence() < (long) ranks[event.partition()].length * perRequest;
        if (!isKnown) {
            // An event that no client has sent: beyond what the oracle expects of its client.
            oracle.saw(event == null ? null : beyond(event), appendedMs);
            return;
        }
        int client = event.partition();
        int sequence = Math.toIntExact(event.sequence());
        int number = sequence / perRequest;
        int rank = ranks[client][number];
        boolean isRepeated = seen[client].get(sequence);
        seen[client].set(sequence);
        if (rank != NO_RANK) {
            long expectedSequence = (long) rank * perRequest + sequence % perRequest;
            oracle.saw(new Event(run, client, expectedSequence, event.madeEpochMs()), appendedMs);
            return;
        }
        otherDuplicated += isRepeated ? 1 : 0;
        refusedPresent += ledger.outcome(client, number) == Outcome.NOT_WRITTEN ? 1 : 0;
    }

    private Event beyond(Event event) {
        return new Event(event.run(), event.partition(), Long.MAX_VALUE, event.madeEpochMs());
    }

    /** How many requests are there in part. */
    private long torn() {
        long torn = 0;
        for (int client = 0; client < ranks.length; client++) {
            for (int number = 0; number < ranks[client].length; number++) {
                int first = number * perRequest;
                int there = seen[client].get(first, first + perRequest).cardinality();
                torn += there > 0 && there < perRequest ? 1 : 0;
            }
        }
        return torn;
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
                otherDuplicated,
                refusedPresent,
                torn(),
                hung);
    }
}
