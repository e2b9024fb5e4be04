/**
 * Takes Kafka's answer back to the upstream: every record handed to Connect carries its own acknowledgement state, and a
 * ledger per reader turns acknowledgements in any order, from any thread, into a contiguous prefix that the reader
 * thread alone reads.
 *
 * <p>There is no shared structure to contend for: an acknowledgement is one release store into the record, and the
 * ledger is a queue that only its reader thread touches.
 */
package io.microbatch.connect.ack;
