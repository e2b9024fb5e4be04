package io.microbatch.connect.upstream.http;

import java.util.Locale;

/** The media types of bodies. */
enum MediaType {
    JSON_RECORDS("application/vnd.kafka.json.v2+json"),
    BINARY_RECORDS("application/vnd.kafka.binary.v2+json"),
    TEXT_RECORDS("application/vnd.kafka.text.v2+json"),
    LINES("application/x-ndjson"),
    CLOUD_EVENT("application/cloudevents+json"),
    CLOUD_EVENTS("application/cloudevents-batch+json"),
    /** Any other type, and none. */
    OTHER(null);

    private static final String CHARSET = "charset=";

    private final String text;

    MediaType(String text) {
        this.text = text;
    }

    /** The type as clients write it. Null for {@link #OTHER}. */
    String text() {
        return text;
    }

    /** Whether the body holds records in the form of REST Proxy. */
    boolean isRecords() {
        return this == JSON_RECORDS || this == BINARY_RECORDS || this == TEXT_RECORDS;
    }

    /**
     * Reads the header {@code Content-Type}, which may be null.
     *
     * @throws Refusal 415 if a type that is JSON comes in another character set than UTF-8
     */
    static MediaType of(String contentType) throws Refusal {
        if (contentType == null) {
            return OTHER;
        }
        String[] parts = contentType.toLowerCase(Locale.ROOT).split(";", -1);
        String type = parts[0].strip();
        for (MediaType known : values()) {
            if (type.equals(known.text)) {
                checkCharset(parts);
                return known;
            }
        }
        return OTHER;
    }

    private static void checkCharset(String[] parts) throws Refusal {
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip();
            if (parameter.startsWith(CHARSET)) {
                String charset = parameter.substring(CHARSET.length()).replace("\"", "");
                if (!charset.equals("utf-8") && !charset.equals("us-ascii")) {
                    throw Refusal.mediaType("JSON is taken in UTF-8 only.");
                }
            }
        }
    }
}
