package io.microbatch.connect.upstream.http;

import com.fasterxml.jackson.core.JsonToken;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * CloudEvents 1.0 in the structured, the batch and the binary mode of its HTTP binding, as records of its Kafka
 * binding. The value of a structured event is the event as it was sent, and its attributes are headers too. Stateless;
 * any thread.
 */
final class CloudEventBody {

    private static final String REQUEST_PREFIX = "ce-";
    private static final String RECORD_PREFIX = "ce_";
    private static final String KEY = "partitionkey";
    private static final String CONTENT_TYPE = "content-type";
    private static final Set<String> NEEDED = Set.of("specversion", "id", "source", "type");

    private CloudEventBody() {}

    /** Whether the headers of a request carry an event, whose data is the body. */
    static boolean isBinary(RequestHeaders headers) {
        boolean[] found = new boolean[1];
        headers.forEach((name, value) -> found[0] |= name.startsWith(REQUEST_PREFIX));
        return found[0];
    }

    /** Adds the one event of a structured body. */
    static void readOne(Json json, String contentType, byte[] fallbackKey, List<HttpHeader> copied, Events events)
            throws Refusal {
        JsonToken ignored = json.next();
        events.add(structured(json, contentType, fallbackKey, copied, 0));
    }

    /** Adds the events of a batch. */
    static void readBatch(Json json, byte[] fallbackKey, List<HttpHeader> copied, Events events) throws Refusal {
        if (json.next() != JsonToken.START_ARRAY) {
            throw Refusal.otherJson("The body must be a JSON array of CloudEvents.");
        }
        while (json.next() != JsonToken.END_ARRAY) {
            events.add(structured(json, MediaType.CLOUD_EVENT.text(), fallbackKey, copied, events.count()));
        }
    }

    /** The event in the headers of a request, without its data. */
    static HttpEvent binary(RequestHead head, byte[] data, byte[] fallbackKey, List<HttpHeader> copied) throws Refusal {
        List<String[]> sent = new ArrayList<>();
        head.headers().forEach((name, value) -> {
            if (name.startsWith(REQUEST_PREFIX)) {
                sent.add(new String[] {name.substring(REQUEST_PREFIX.length()), value});
            }
        });
        Attributes attributes = new Attributes(0);
        for (String[] each : sent) {
            byte[] bytes = Percent.decode(unquoted(each[1]), false);
            Utf8.check(bytes, 0, bytes.length);
            attributes.add(each[0], bytes);
        }
        return attributes.event(data, head.contentType(), fallbackKey, copied);
    }

    private static HttpEvent structured(
            Json json, String contentType, byte[] fallbackKey, List<HttpHeader> copied, int number) throws Refusal {
        if (json.current() != JsonToken.START_OBJECT) {
            throw Refusal.otherJson("Event " + number + " must be a JSON object.");
        }
        int start = json.start();
        Attributes attributes = new Attributes(number);
        while (json.next() != JsonToken.END_OBJECT) {
            String name = json.nameThenValue();
            if (name.equals("data") || name.equals("data_base64")) {
                attributes.addData();
                json.skip();
            } else {
                attributes.add(name, content(json, number));
            }
        }
        return attributes.event(json.slice(start, json.end()), contentType, fallbackKey, copied);
    }

    /** An attribute's value as the text of a header. Null for an attribute that is not set. */
    private static byte[] content(Json json, int number) throws Refusal {
        switch (json.current()) {
            case VALUE_NULL:
                return null;
            case VALUE_STRING:
                return Utf8.bytes(json.text());
            case VALUE_TRUE, VALUE_FALSE, VALUE_NUMBER_INT:
                return json.raw();
            default:
                throw Refusal.invalid(
                        "Event " + number + " has an attribute that is no string, whole number, true or false.");
        }
    }

    /** The value of a header that may be a quoted string. */
    private static String unquoted(String value) {
        if (value.length() < 2 || value.charAt(0) != '"' || value.charAt(value.length() - 1) != '"') {
            return value;
        }
        StringBuilder text = new StringBuilder();
        for (int i = 1; i < value.length() - 1; i++) {
            if (value.charAt(i) == '\\' && i + 2 < value.length()) {
                i++;
            }
            text.append(value.charAt(i));
        }
        return text.toString();
    }

    /** The attributes of one event, which become headers. */
    private static final class Attributes {

        private final int number;
        private final List<HttpHeader> headers = new ArrayList<>();
        private final Set<String> seen = new HashSet<>();
        private int needed;
        private boolean data;
        private byte[] key;

        Attributes(int number) {
            this.number = number;
        }

        void addData() throws Refusal {
            if (data) {
                throw invalid("has data twice");
            }
            data = true;
        }

        void add(String name, byte[] content) throws Refusal {
            if (seen.size() == HeaderNames.MAX_COUNT) {
                throw invalid("has more than " + HeaderNames.MAX_COUNT + " attributes");
            }
            if (!isName(name)) {
                throw invalid("has an attribute whose name is not of the letters a to z and the digits");
            }
            if (!seen.add(name)) {
                throw invalid("has an attribute twice");
            }
            if (content == null) {
                return;
            }
            if (NEEDED.contains(name)) {
                if (content.length == 0) {
                    throw invalid("has an empty " + name);
                }
                needed++;
            }
            if (name.equals("specversion") && !new String(content, StandardCharsets.UTF_8).equals("1.0")) {
                throw invalid("is not of CloudEvents 1.0");
            }
            if (name.equals(KEY)) {
                key = content;
            }
            headers.add(new HttpHeader(RECORD_PREFIX + name, content));
        }

        HttpEvent event(byte[] value, String contentType, byte[] fallbackKey, List<HttpHeader> copied) throws Refusal {
            if (needed < NEEDED.size()) {
                throw invalid("must have specversion, id, source and type");
            }
            if (contentType != null) {
                headers.add(0, new HttpHeader(CONTENT_TYPE, contentType.getBytes(StandardCharsets.ISO_8859_1)));
            }
            return new HttpEvent(
                    key == null ? fallbackKey : key, value, null, null, HeaderNames.merged(headers, copied));
        }

        private static boolean isName(String name) {
            return !name.isEmpty() && name.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'));
        }

        private Refusal invalid(String problem) {
            return Refusal.invalid("Event " + number + " " + problem + ".");
        }
    }
}
