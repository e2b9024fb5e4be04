/**
 * Latency against CPU: where this connector lies among the settings that anybody can give a stock connector, at each
 * rate.
 */
package io.microbatch.bench.frontier;
