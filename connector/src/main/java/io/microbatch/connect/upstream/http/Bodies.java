package io.microbatch.connect.upstream.http;

import io.microbatch.connect.config.HttpConfig;
import io.microbatch.connect.config.HttpLimits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Makes events of a request's body, by endpoint and media type. Any thread.
 *
 * <p>The bytes of JSON values, lines and plain bodies are copied as they were sent and never written anew.
 */
final class Bodies {

    private static final String KEY_HEADER = "x-kafka-key";
    private static final Set<String> GZIP = Set.of("gzip", "x-gzip");
    private static final String ENCODING_HEADER = "content-encoding";

    private final HttpLimits limits;
    private final JsonFactories factories;
    private final HeaderNames names;
    private final RestBody rest;

    /**
     * Takes what it needs of the configuration.
     *
     * @param config the limits, the headers to copy, and whether records may bring a timestamp
     * @param epochMillis the time in milliseconds since 1970, against which a client's timestamp is checked
     */
    Bodies(HttpConfig config, LongSupplier epochMillis) {
        limits = config.limits();
        factories = new JsonFactories(limits.requestBytes());
        names = new HeaderNames(config.headers());
        rest = new RestBody(config.clientTimestamps(), epochMillis);
    }

    /**
     * Checks what is known before the body: media type, content encoding, partition and key.
     *
     * @throws Refusal 415, 422 or 400
     */
    void checkHead(RequestHead head) throws Refusal {
        MediaType type = MediaType.of(head.contentType());
        boolean records = head.path().kind() == RequestPath.Kind.RECORDS;
        if (records && !type.isRecords()) {
            throw Refusal.mediaType("The media type must be " + MediaType.JSON_RECORDS.text() + ", "
                    + MediaType.BINARY_RECORDS.text() + " or " + MediaType.TEXT_RECORDS.text() + ".");
        }
        if (!records && type.isRecords()) {
            throw Refusal.mediaType("Bodies of this media type belong to /topics/{topic}.");
        }
        checkEncoding(head.headers());
        if (head.path().partition() != null) {
            checkPartition(head.path().partition(), head.topic());
        }
        byte[] sent = key(head);
        if (records && sent != null) {
            throw Refusal.malformed("Records of this endpoint name their keys in the body.");
        }
    }

    /**
     * The events of a complete body, at least one. The events share no bytes with the given array. A body with {@code
     * Content-Encoding: gzip} is given as it was sent.
     *
     * @throws Refusal if any part of the request is refused; then nothing of it may be written
     */
    List<HttpEvent> parse(RequestHead head, byte[] body, int offset, int length) throws Refusal {
        checkHead(head);
        if (length > limits.requestBytes()) {
            throw Refusal.tooLarge("The body is larger than " + limits.requestBytes() + " bytes.");
        }
        if (isGzip(head.headers())) {
            byte[] content = Gzip.content(body, offset, length, limits.requestBytes());
            return events(head, content, 0, content.length);
        }
        return events(head, body, offset, length);
    }

    private List<HttpEvent> events(RequestHead head, byte[] body, int offset, int length) throws Refusal {
        MediaType type = MediaType.of(head.contentType());
        List<HttpHeader> copied = names.copiedFrom(head.headers());
        Events events = new Events(limits);
        boolean structured = type.isRecords() || type == MediaType.CLOUD_EVENT || type == MediaType.CLOUD_EVENTS;
        if (!structured && CloudEventBody.isBinary(head.headers())) {
            byte[] data = Arrays.copyOfRange(body, offset, offset + length);
            events.add(CloudEventBody.binary(head, data, key(head), copied));
        } else if (type == MediaType.OTHER) {
            events.add(plain(head, Arrays.copyOfRange(body, offset, offset + length), copied));
        } else {
            readJson(head, type, copied, events, body, offset, length);
        }
        return events.atLeastOne();
    }

    private void readJson(
            RequestHead head,
            MediaType type,
            List<HttpHeader> copied,
            Events events,
            byte[] body,
            int offset,
            int length)
            throws Refusal {
        try (Json json = Json.of(factories.forBody(length), body, offset, length)) {
            switch (type) {
                case LINES -> LinesBody.read(json, key(head), copied, events);
                case CLOUD_EVENT -> CloudEventBody.readOne(json, head.contentType(), key(head), copied, events);
                case CLOUD_EVENTS -> CloudEventBody.readBatch(json, key(head), copied, events);
                default -> rest.read(json, type, head, copied, events);
            }
            if (json.next() != null) {
                throw Refusal.malformed("Something follows the JSON of the body.");
            }
        }
    }

    private static HttpEvent plain(RequestHead head, byte[] value, List<HttpHeader> copied) throws Refusal {
        List<HttpHeader> headers = new ArrayList<>(copied.size() + 1);
        if (head.contentType() != null) {
            headers.add(new HttpHeader("content-type", head.contentType().getBytes(StandardCharsets.ISO_8859_1)));
        }
        return new HttpEvent(key(head), value, null, null, HeaderNames.merged(headers, copied));
    }

    /** The key of the query or of the header, or null. Only the endpoint for records takes keys from the body. */
    private static byte[] key(RequestHead head) throws Refusal {
        String header = head.headers().get(KEY_HEADER);
        byte[] query = head.path().key();
        if (header == null) {
            return query;
        }
        if (query != null) {
            throw Refusal.malformed("The query and a header both name a key.");
        }
        return header.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static boolean isGzip(RequestHeaders headers) {
        String encoding = headers.get(ENCODING_HEADER);
        return encoding != null && GZIP.contains(encoding.toLowerCase(Locale.ROOT));
    }

    private static void checkEncoding(RequestHeaders headers) throws Refusal {
        String encoding = headers.get(ENCODING_HEADER);
        if (encoding != null && !isGzip(headers) && !encoding.equalsIgnoreCase("identity")) {
            throw Refusal.mediaType("The content encoding must be gzip or identity.");
        }
    }

    /**
     * Checks a partition that a client chose.
     *
     * @throws Refusal 422 if the topic has no such partition, as far as the configuration says
     */
    static void checkPartition(long partition, Access.Topic topic) throws Refusal {
        if (topic.partitions() == 0) {
            throw Refusal.partition("Clients may not choose a partition of this topic.");
        }
        if (partition < 0 || partition >= topic.partitions()) {
            throw Refusal.partition("The topic has the partitions 0 to " + (topic.partitions() - 1) + ".");
        }
    }
}
