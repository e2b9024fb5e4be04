/**
 * Returns acknowledgements to the upstream. Every record has its own acknowledgement state. A ledger per reader turns
 * acknowledgements in any order and from any thread into a contiguous prefix.
 *
 * <p>No thread waits for another: an acknowledgement is one release store into the record, and only one thread at a
 * time uses a ledger.
 */
package io.microbatch.connect.ack;
