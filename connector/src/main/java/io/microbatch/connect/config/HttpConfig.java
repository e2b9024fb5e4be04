package io.microbatch.connect.config;

import java.util.List;

/**
 * The HTTP upstream as its keys describe it. Times in milliseconds. Immutable; any thread.
 *
 * @param port the first port, 0 for a free one
 * @param portPerTask whether each task has a port of its own
 * @param requestTimeoutMs the time of a request that names none, and the longest that one may name
 * @param stallMs without a poll for this time, requests are refused
 * @param idempotencyKeys the keys that a task remembers, 0 to ignore them
 * @param idempotencyRequired whether a request without a key is refused
 * @param headers the request headers that become record headers, in lower case
 * @param clientTimestamps whether records may bring a timestamp
 */
public record HttpConfig(
        List<Topic> topics,
        String host,
        int port,
        boolean portPerTask,
        int threads,
        int requestTimeoutMs,
        int stallMs,
        int idempotencyKeys,
        boolean idempotencyRequired,
        List<String> headers,
        boolean clientTimestamps,
        HttpLimits limits,
        HttpAuthConfig auth,
        HttpTlsConfig tls) {

    /**
     * A topic that clients may write.
     *
     * @param name the name, or the beginning of names
     * @param prefix whether it is the beginning of names
     * @param partitions how many partitions clients may choose from, 0 if they may not choose
     */
    public record Topic(String name, boolean prefix, int partitions) {}
}
