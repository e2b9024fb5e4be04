/**
 * PostgreSQL to Kafka, and a check that every row arrived once and in order: {@code bench demo} at a rising rate, to be
 * looked at, {@code bench cdc} versus Debezium by itself.
 *
 * <pre>
 * writers ──▶ PostgreSQL ──▶ worker (connector) ──▶ broker ──▶ live consumer: latency, while the load runs
 *                  │                                   └──────▶ fresh consumer ┐
 *                  └──────────────── full table ──────────────────────────────┴▶ verification
 * </pre>
 */
package io.microbatch.bench.cdc;
