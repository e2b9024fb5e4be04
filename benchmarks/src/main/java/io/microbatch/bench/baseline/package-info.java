/**
 * The connector to measure against: the same events as the generator's, made in poll, without readers, rings or
 * control. It stands for what most source connectors do.
 */
package io.microbatch.bench.baseline;
