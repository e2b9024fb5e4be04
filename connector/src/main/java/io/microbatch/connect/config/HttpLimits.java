package io.microbatch.connect.config;

/**
 * What a client of the HTTP upstream may use at most. Bytes and milliseconds. Immutable; any thread.
 *
 * @param requestBytes a body, before and after decompression
 * @param requestRecords the records of a request
 * @param recordBytes a record, as the producer counts it before compression
 * @param inflightBytes the bodies that are not answered yet
 * @param inflightRequests the requests that are not answered yet
 * @param connections the connections of a task
 * @param connectionsPerAddress the connections from one address
 * @param headerBytes all headers of a request
 * @param headerTimeoutMs the time for a complete head
 * @param bodyTimeoutMs the time for a complete body
 * @param idleTimeoutMs the time between two requests
 */
public record HttpLimits(
        int requestBytes,
        int requestRecords,
        int recordBytes,
        long inflightBytes,
        int inflightRequests,
        int connections,
        int connectionsPerAddress,
        int headerBytes,
        int headerTimeoutMs,
        int bodyTimeoutMs,
        int idleTimeoutMs) {}
