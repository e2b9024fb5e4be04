/**
 * The plugin: a Kafka Connect source connector whose task reads upstream events into stripes and whose poll returns
 * batches sized by the pressure.
 *
 * <p>Data passes through one way: upstream, stripe, poll, Connect; and back through ack.
 */
package io.microbatch.connect;
