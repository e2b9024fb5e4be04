/**
 * {@code bench http}: events posted over HTTP to this connector and to servers that send each request's records
 * themselves. {@code LoadLoop} sends from one thread over non-blocking connections, {@code Ledger} keeps each request's
 * outcome, {@code TopicCheck} compares the outcomes with the topic.
 */
package io.microbatch.bench.http;
