/**
 * {@code bench demo}: PostgreSQL to Kafka at a rising rate, and a check that every row arrived once and in order.
 *
 * <pre>
 * writers ──▶ PostgreSQL ──▶ worker (connector) ──▶ broker ──▶ live consumer: latency, while the load runs
 *                  │                                   └──────▶ fresh consumer ┐
 *                  └──────────────── full table ──────────────────────────────┴▶ verification
 * </pre>
 */
package io.microbatch.bench.demo;
