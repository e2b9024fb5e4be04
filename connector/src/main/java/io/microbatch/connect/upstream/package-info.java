/**
 * Upstreams behind one interface. The connector side validates and assigns tasks. Each reader has a thread of its own,
 * fetches events into a stripe and takes acknowledgements. It owns its source partitions and keeps their order.
 */
package io.microbatch.connect.upstream;
