/**
 * Upstreams behind one interface: a connector side that validates and assigns tasks, and readers, each on a thread of
 * its own, that fetch events into a stripe and take acknowledgements back. A reader thread owns its source partitions:
 * whatever it fetches in order stays in order.
 */
package io.microbatch.connect.upstream;
