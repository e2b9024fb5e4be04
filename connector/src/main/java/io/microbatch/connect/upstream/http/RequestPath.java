package io.microbatch.connect.upstream.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * What the target of a request names. Immutable if nobody writes to the key; any thread.
 *
 * @param kind the endpoint
 * @param topic the topic's name as sent, without percent-encoding, or null
 * @param partition the partition in the path, or null
 * @param key the bytes of the query's {@code key}, or null
 */
record RequestPath(Kind kind, String topic, Integer partition, byte[] key) {

    /** The endpoints. */
    enum Kind {
        /** {@code GET /}. */
        ROOT,
        /** {@code GET /health/live} and {@code /healthy}. */
        LIVE,
        /** {@code GET /health/ready} and {@code /ready}. */
        READY,
        /** {@code POST /topics/{topic}}, with or without {@code /partitions/{n}}. */
        RECORDS,
        /** {@code POST /events/{topic}}. */
        EVENTS;

        /** The only method of the endpoint. Another one is answered with 405 and this one in {@code Allow}. */
        String method() {
            return this == RECORDS || this == EVENTS ? "POST" : "GET";
        }
    }

    private static final String KEY = "key=";

    /**
     * Reads the target of the request line, for example {@code /events/orders?key=4711}. Other parameters of the query
     * than {@code key} are ignored.
     *
     * @throws Refusal 404 for an unknown path, 422 for a partition that is no partition number, 400 for bad
     *     percent-encoding or a second key
     */
    static RequestPath parse(String target) throws Refusal {
        int query = target.indexOf('?');
        String path = withoutOrigin(query < 0 ? target : target.substring(0, query));
        byte[] key = query < 0 ? null : key(target.substring(query + 1));
        switch (path) {
            case "/":
                return new RequestPath(Kind.ROOT, null, null, key);
            case "/health/live", "/healthy":
                return new RequestPath(Kind.LIVE, null, null, key);
            case "/health/ready", "/ready":
                return new RequestPath(Kind.READY, null, null, key);
            default:
                return ofTopic(Arrays.asList(path.split("/", -1)), key);
        }
    }

    private static RequestPath ofTopic(List<String> parts, byte[] key) throws Refusal {
        if (parts.size() > 2 && parts.get(0).isEmpty()) {
            boolean records = parts.get(1).equals("topics");
            if (parts.size() == 3 && (records || parts.get(1).equals("events"))) {
                return new RequestPath(records ? Kind.RECORDS : Kind.EVENTS, topic(parts.get(2)), null, key);
            }
            if (parts.size() == 5 && records && parts.get(3).equals("partitions")) {
                return new RequestPath(Kind.RECORDS, topic(parts.get(2)), partition(parts.get(4)), key);
            }
        }
        throw Refusal.notFound("There is no such endpoint.");
    }

    /** A client that takes us for a proxy sends the whole address, and a server has to accept it. */
    private static String withoutOrigin(String path) {
        if (path.startsWith("/")) {
            return path;
        }
        int scheme = path.indexOf("://");
        if (scheme < 0) {
            return path;
        }
        int slash = path.indexOf('/', scheme + 3);
        return slash < 0 ? "/" : path.substring(slash);
    }

    private static String topic(String part) throws Refusal {
        return new String(Percent.decode(part, false), StandardCharsets.ISO_8859_1);
    }

    private static Integer partition(String part) throws Refusal {
        try {
            // Java parses a sign and the digits of other alphabets too.
            if (part.chars().allMatch(c -> c >= '0' && c <= '9')) {
                return Integer.parseInt(part);
            }
        } catch (NumberFormatException e) {
            // None, or more than Kafka can have: refused below.
        }
        throw Refusal.partition("The path names no partition number.");
    }

    private static byte[] key(String query) throws Refusal {
        byte[] key = null;
        for (String parameter : query.split("&", -1)) {
            if (parameter.startsWith(KEY)) {
                if (key != null) {
                    throw Refusal.malformed("The query has more than one key.");
                }
                key = Percent.decode(parameter.substring(KEY.length()), true);
            }
        }
        return key;
    }
}
