/**
 * Load on a real worker: an open-loop stream of verifiable events through a connector, read back by a read_committed
 * consumer that checks every one of them and knows when it was due.
 */
package io.microbatch.bench.load;
