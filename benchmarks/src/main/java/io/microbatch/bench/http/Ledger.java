package io.microbatch.bench.http;

import java.util.Arrays;

/**
 * The outcome of every request of a run, by client and number. A request is unknown until its outcome is noted. Not
 * safe for several threads on one client.
 */
public final class Ledger {

    private static final int FIRST_REQUESTS = 1_024;
    private static final Outcome[] OUTCOMES = Outcome.values();

    private final byte[][] outcomes;
    private final int[] next;

    /** Of this many clients. */
    public Ledger(int clients) {
        outcomes = new byte[clients][FIRST_REQUESTS];
        next = new int[clients];
    }

    /** Begins a request, and returns its number within the client, from 0. */
    public int begin(int client) {
        int number = next[client];
        if (number == outcomes[client].length) {
            outcomes[client] = Arrays.copyOf(outcomes[client], 2 * number);
        }
        outcomes[client][number] = (byte) Outcome.UNKNOWN.ordinal();
        next[client] = number + 1;
        return number;
    }

    /** Notes how a request ended. */
    public void end(int client, int number, Outcome outcome) {
        outcomes[client][number] = (byte) outcome.ordinal();
    }

    /** How many clients there are. */
    public int clients() {
        return next.length;
    }

    /** How many requests a client has begun. */
    public int requests(int client) {
        return next[client];
    }

    /** How a request ended. */
    public Outcome outcome(int client, int number) {
        return OUTCOMES[outcomes[client][number]];
    }
}
