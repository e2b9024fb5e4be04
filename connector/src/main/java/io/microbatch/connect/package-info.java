/**
 * A Kafka Connect source connector. Its task reads upstream events into stripes, and its poll returns batches whose
 * size depends on the pressure.
 *
 * <p>Events pass through upstream, stripe and poll to Connect. Acknowledgements return through ack.
 */
package io.microbatch.connect;
