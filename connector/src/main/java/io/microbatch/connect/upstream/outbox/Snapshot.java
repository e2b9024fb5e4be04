package io.microbatch.connect.upstream.outbox;

import java.util.Arrays;

/**
 * The transactions that were finished at one moment, as PostgreSQL's type {@code pg_snapshot} has them: all below xmin,
 * and those below xmax that are not listed as running. Immutable; any thread.
 */
final class Snapshot {

    /** Nothing was finished: no row of a table is visible in it. */
    static final Snapshot NOTHING = parse("1:1:");

    private final String text;
    private final long xmin;
    private final long xmax;

    /** The running transactions, ascending. */
    private final long[] running;

    private Snapshot(String text, long xmin, long xmax, long[] running) {
        this.text = text;
        this.xmin = xmin;
        this.xmax = xmax;
        this.running = running;
    }

    /**
     * Parses the database's text, such as {@code 10:20:10,14}.
     *
     * @throws IllegalArgumentException if it is no snapshot
     */
    static Snapshot parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("A snapshot has three parts");
        }
        long xmin = Long.parseLong(parts[0]);
        long xmax = Long.parseLong(parts[1]);
        long[] running = parts[2].isEmpty()
                ? new long[0]
                : Arrays.stream(parts[2].split(",", -1))
                        .mapToLong(Long::parseLong)
                        .toArray();
        if (xmin < 1 || xmax < xmin) {
            throw new IllegalArgumentException("A snapshot begins with two ascending numbers");
        }
        long previous = xmin - 1;
        for (long each : running) {
            if (each <= previous || each >= xmax) {
                throw new IllegalArgumentException(
                        "The running transactions of a snapshot are ascending, between its first two numbers");
            }
            previous = each;
        }
        return new Snapshot(text, xmin, xmax, running);
    }

    /** Whether the transaction was finished: committed or rolled back. Same as {@code pg_visible_in_snapshot}. */
    boolean isVisible(long xid) {
        return xid < xmin || (xid < xmax && Arrays.binarySearch(running, xid) < 0);
    }

    /** The oldest transaction that was not finished. */
    long xmin() {
        return xmin;
    }

    /** The first transaction that had not begun. */
    long xmax() {
        return xmax;
    }

    /** Whether a transaction was running. */
    boolean hasRunning() {
        return xmin < xmax;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Snapshot snapshot && text.equals(snapshot.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** The database's text. */
    @Override
    public String toString() {
        return text;
    }
}
