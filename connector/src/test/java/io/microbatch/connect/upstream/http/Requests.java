package io.microbatch.connect.upstream.http;

import io.microbatch.connect.config.HttpAuthConfig;
import io.microbatch.connect.config.HttpConfig;
import io.microbatch.connect.config.HttpLimits;
import io.microbatch.connect.config.HttpTlsConfig;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Configurations and requests as tests need them. Topic {@code orders} has 6 partitions, {@code notes} none. */
final class Requests {

    static final long NOW_MS = 1_800_000_000_000L;

    static final String JSON = "Content-Type: application/vnd.kafka.json.v2+json";
    static final String BINARY = "Content-Type: application/vnd.kafka.binary.v2+json";
    static final String TEXT = "Content-Type: application/vnd.kafka.text.v2+json";
    static final String LINES = "Content-Type: application/x-ndjson";

    private static final int MIB = 1 << 20;

    private Requests() {}

    static HttpLimits limits(int requestBytes, int records, int recordBytes) {
        return new HttpLimits(
                requestBytes,
                records,
                recordBytes,
                32 * MIB,
                64 * MIB,
                10_000,
                1_024,
                256,
                16_384,
                10_000,
                30_000,
                60_000);
    }

    static HttpLimits limits() {
        return limits(MIB, 1_000, MIB);
    }

    static HttpConfig config(HttpLimits limits, boolean clientTimestamps) {
        return config(
                List.of(new HttpConfig.Topic("orders", false, 6), new HttpConfig.Topic("notes", false, 0)),
                new HttpAuthConfig(HttpAuthConfig.Method.NONE, List.of(), List.of(), false),
                limits,
                clientTimestamps);
    }

    static HttpConfig config(List<HttpConfig.Topic> topics, HttpAuthConfig auth) {
        return config(topics, auth, limits(), false);
    }

    private static HttpConfig config(
            List<HttpConfig.Topic> topics, HttpAuthConfig auth, HttpLimits limits, boolean clientTimestamps) {
        return new HttpConfig(
                topics,
                "127.0.0.1",
                8090,
                true,
                2,
                30_000,
                5_000,
                65_536,
                false,
                List.of("traceparent", "tracestate"),
                clientTimestamps,
                limits,
                auth,
                new HttpTlsConfig(Optional.empty(), Optional.empty()));
    }

    static Bodies bodies() {
        return bodies(limits());
    }

    static Bodies bodies(HttpLimits limits) {
        return new Bodies(config(limits, false), () -> NOW_MS);
    }

    static Bodies bodiesWithTimestamps() {
        return new Bodies(config(limits(), true), () -> NOW_MS);
    }

    /** The head of a request whose headers are lines such as {@code Name: value}. */
    static RequestHead head(String target, String... headers) throws Refusal {
        RequestPath path = RequestPath.parse(target);
        Sent sent = new Sent(List.of(headers));
        Access access = new Access(config(limits(), false));
        return new RequestHead(path, access.topic(Access.NOBODY, path.topic()), sent.get("content-type"), sent);
    }

    static List<HttpEvent> parse(String body, String target, String... headers) throws Refusal {
        return parse(bodies(), body.getBytes(StandardCharsets.UTF_8), target, headers);
    }

    /** Parses a body that lies between other bytes. */
    static List<HttpEvent> parse(Bodies bodies, byte[] body, String target, String... headers) throws Refusal {
        byte[] around = new byte[body.length + 20];
        Arrays.fill(around, (byte) '{');
        System.arraycopy(body, 0, around, 7, body.length);
        List<HttpEvent> events = bodies.parse(head(target, headers), around, 7, body.length);
        // What is taken must not change with the server's buffer.
        Arrays.fill(around, (byte) 0);
        return events;
    }

    /** The only event of a request. */
    static HttpEvent one(String body, String target, String... headers) throws Refusal {
        List<HttpEvent> events = parse(body, target, headers);
        if (events.size() != 1) {
            throw new AssertionError(events.size() + " events");
        }
        return events.get(0);
    }

    static String text(byte[] bytes) {
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }

    /** The headers of an event such as {@code name=value}. */
    static List<String> headers(HttpEvent event) {
        return event.headers().stream()
                .map(header -> header.name() + "=" + text(header.value()))
                .toList();
    }

    /** An event in lines, for files of expected events. */
    static String rendered(HttpEvent event) {
        StringBuilder lines = new StringBuilder("key: " + text(event.key()) + "\nvalue: " + text(event.value()) + "\n");
        if (event.partition() != null) {
            lines.append("partition: ").append(event.partition()).append('\n');
        }
        if (event.timestampMs() != null) {
            lines.append("timestamp: ").append(event.timestampMs()).append('\n');
        }
        headers(event).forEach(header -> lines.append("header: ").append(header).append('\n'));
        return lines.toString();
    }

    /** The headers of a request. */
    private static final class Sent implements RequestHeaders {

        private final List<String[]> headers = new ArrayList<>();

        Sent(List<String> lines) {
            for (String line : lines) {
                int colon = line.indexOf(':');
                headers.add(new String[] {
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip()
                });
            }
        }

        @Override
        public String get(String lowerCaseName) {
            return headers.stream()
                    .filter(header -> header[0].equals(lowerCaseName))
                    .map(header -> header[1])
                    .findFirst()
                    .orElse(null);
        }

        @Override
        public void forEach(BiConsumer<String, String> each) {
            headers.forEach(header -> each.accept(header[0], header[1]));
        }
    }
}
