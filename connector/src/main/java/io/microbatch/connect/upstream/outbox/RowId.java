package io.microbatch.connect.upstream.outbox;

/**
 * What tells a row from every other that the table ever has. The number alone does not: {@code TRUNCATE … RESTART
 * IDENTITY} lets the numbers begin again. Immutable; any thread.
 *
 * @param xid the transaction that inserted the row
 */
record RowId(long seq, long xid) {}
