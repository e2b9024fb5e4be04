package io.microbatch.connect.upstream.http;

import com.fasterxml.jackson.core.JsonToken;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Bodies of REST Proxy v2 and Strimzi's bridge: {@code {"records":[{"key":…,"value":…}]}}. Other fields of the body
 * than {@code records} are ignored, as REST Proxy ignores the schemas of Avro. Another field of a record is refused,
 * because a misspelt {@code value} would be a tombstone. Immutable; any thread.
 */
final class RestBody {

    /**
     * How far a client's timestamp may be ahead of our clock, in milliseconds. A broker refuses an hour by default, and
     * a record that a broker refuses fails the task.
     */
    static final long MAX_AHEAD_MS = 30 * 60 * 1_000;

    private final boolean timestamps;
    private final LongSupplier epochMillis;

    RestBody(boolean timestamps, LongSupplier epochMillis) {
        this.timestamps = timestamps;
        this.epochMillis = epochMillis;
    }

    /** Adds the records of a body. */
    void read(Json json, MediaType format, RequestHead head, List<HttpHeader> copied, Events events) throws Refusal {
        if (json.next() != JsonToken.START_OBJECT) {
            throw noRecords();
        }
        boolean seen = false;
        while (json.next() != JsonToken.END_OBJECT) {
            if (!json.nameThenValue().equals("records")) {
                json.skip();
                continue;
            }
            if (seen) {
                throw twice("records");
            }
            seen = true;
            if (json.current() != JsonToken.START_ARRAY) {
                throw noRecords();
            }
            while (json.next() != JsonToken.END_ARRAY) {
                events.add(new Reader(json, format, head, events.count()).read(copied));
            }
        }
        if (!seen) {
            throw noRecords();
        }
    }

    private static Refusal noRecords() {
        return Refusal.otherJson("The body must be a JSON object with an array named records.");
    }

    private static Refusal twice(String field) {
        return Refusal.invalid("The field " + field + " is there twice.");
    }

    /** Reads one record. */
    private final class Reader {

        private final Json json;
        private final MediaType format;
        private final RequestHead head;
        private final int number;

        private byte[] key;
        private byte[] value;
        private Integer partition;
        private Long timestampMs;
        private List<HttpHeader> headers = List.of();

        Reader(Json json, MediaType format, RequestHead head, int number) {
            this.json = json;
            this.format = format;
            this.head = head;
            this.number = number;
            partition = head.path().partition();
        }

        HttpEvent read(List<HttpHeader> copied) throws Refusal {
            if (json.current() != JsonToken.START_OBJECT) {
                throw invalid("must be a JSON object");
            }
            int seen = 0;
            while (json.next() != JsonToken.END_OBJECT) {
                String name = json.nameThenValue();
                Field field = Field.of(name);
                if (field == null) {
                    throw invalid("has a field other than key, value, partition, headers and timestamp");
                }
                if ((seen & field.bit()) != 0) {
                    throw twice(name);
                }
                seen |= field.bit();
                take(field);
            }
            if ((seen & (Field.KEY.bit() | Field.VALUE.bit())) == 0) {
                throw invalid("has neither a key nor a value");
            }
            return new HttpEvent(key, value, partition, timestampMs, HeaderNames.merged(headers, copied));
        }

        private void take(Field field) throws Refusal {
            switch (field) {
                case KEY -> key = content(field);
                case VALUE -> value = content(field);
                case PARTITION -> takePartition();
                case TIMESTAMP -> takeTimestamp();
                case HEADERS -> takeHeaders();
            }
        }

        private byte[] content(Field field) throws Refusal {
            if (json.current() == JsonToken.VALUE_NULL) {
                return null;
            }
            if (format == MediaType.JSON_RECORDS) {
                return json.raw();
            }
            if (json.current() != JsonToken.VALUE_STRING) {
                throw invalid("has a " + field.text() + " that is no string");
            }
            return format == MediaType.TEXT_RECORDS ? Utf8.bytes(json.text()) : base64(field.text());
        }

        private byte[] base64(String what) throws Refusal {
            try {
                return Base64.getDecoder().decode(json.text());
            } catch (IllegalArgumentException e) {
                throw invalid("has a " + what + " that is not Base64");
            }
        }

        private void takePartition() throws Refusal {
            if (json.current() == JsonToken.VALUE_NULL) {
                return;
            }
            if (partition != null) {
                throw Refusal.partition("Record " + number + " names a partition, and the path does too.");
            }
            Long chosen = json.wholeNumber();
            if (chosen == null && json.current() != JsonToken.VALUE_NUMBER_INT) {
                throw invalid("has a partition that is no whole number");
            }
            Bodies.checkPartition(chosen == null ? -1 : chosen, head.topic());
            partition = chosen.intValue();
        }

        private void takeTimestamp() throws Refusal {
            if (json.current() == JsonToken.VALUE_NULL) {
                return;
            }
            if (!timestamps) {
                throw invalid("brings a timestamp, which this server does not take");
            }
            timestampMs = json.wholeNumber();
            if (timestampMs == null || timestampMs < 0) {
                throw invalid("has a timestamp that is no number of milliseconds since 1970");
            }
            if (timestampMs > epochMillis.getAsLong() + MAX_AHEAD_MS) {
                throw invalid("has a timestamp of the future");
            }
        }

        private void takeHeaders() throws Refusal {
            if (json.current() == JsonToken.VALUE_NULL) {
                return;
            }
            if (json.current() != JsonToken.START_ARRAY) {
                throw invalid("has headers that are no array");
            }
            headers = new ArrayList<>();
            while (json.next() != JsonToken.END_ARRAY) {
                if (headers.size() == HeaderNames.MAX_COUNT) {
                    throw invalid("has more than " + HeaderNames.MAX_COUNT + " headers");
                }
                headers.add(header());
            }
        }

        private HttpHeader header() throws Refusal {
            if (json.current() != JsonToken.START_OBJECT) {
                throw notAHeader();
            }
            String name = null;
            byte[] content = null;
            boolean seen = false;
            while (json.next() != JsonToken.END_OBJECT) {
                String field = json.nameThenValue();
                if ((field.equals("key") && name != null) || (field.equals("value") && seen)) {
                    throw twice(field);
                }
                if (field.equals("key") && json.current() == JsonToken.VALUE_STRING) {
                    name = json.text();
                    HeaderNames.check(name);
                } else if (field.equals("value") && json.current() == JsonToken.VALUE_STRING) {
                    seen = true;
                    content = base64("header");
                } else if (field.equals("value") && json.current() == JsonToken.VALUE_NULL) {
                    seen = true;
                } else {
                    throw notAHeader();
                }
            }
            if (name == null || !seen) {
                throw notAHeader();
            }
            return new HttpHeader(name, content);
        }

        private Refusal notAHeader() {
            return invalid("has a header that is no object of key, a string, and value, Base64");
        }

        private Refusal invalid(String problem) {
            return Refusal.invalid("Record " + number + " " + problem + ".");
        }
    }

    /** The fields of a record. */
    private enum Field {
        KEY,
        VALUE,
        PARTITION,
        TIMESTAMP,
        HEADERS;

        static Field of(String name) {
            return switch (name) {
                case "key" -> KEY;
                case "value" -> VALUE;
                case "partition" -> PARTITION;
                case "timestamp" -> TIMESTAMP;
                case "headers" -> HEADERS;
                default -> null;
            };
        }

        int bit() {
            return 1 << ordinal();
        }

        String text() {
            return this == KEY ? "key" : "value";
        }
    }
}
