package io.microbatch.connect.upstream.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * An answer to a client. Shows no payload, no setting and no path. Immutable; any thread.
 *
 * @param status the HTTP status
 * @param mediaType the media type of the body
 * @param body JSON; nobody changes the array
 * @param fields further header fields
 * @param closes whether the connection ends with this answer
 */
record Answer(int status, String mediaType, byte[] body, List<Field> fields, boolean closes) {

    static final int OK = 200;

    /** The code of a record that Kafka did not get although its request was taken. */
    static final int DROPPED = 42210;

    private static final String KAFKA_JSON = "application/vnd.kafka.v2+json";
    private static final String DROPPED_TEXT = "Connect has dropped the record: a transform did";

    /** A header field of the answer. */
    record Field(String name, String value) {}

    static Answer json(int status, String body) {
        return new Answer(status, "application/json", bytes(body), List.of(), false);
    }

    static Answer error(int status, int errorCode, String message) {
        String body = "{\"error_code\":" + errorCode + ",\"message\":\"" + escaped(message) + "\"}";
        return new Answer(status, KAFKA_JSON, bytes(body), List.of(), false);
    }

    static Answer of(Refusal refusal) {
        return error(refusal.status(), refusal.errorCode(), refusal.getMessage());
    }

    /**
     * The answer to a request that is not served, through no mistake of the client.
     *
     * @param retryAfterSec after how many seconds the client should try again, where a retry makes sense
     */
    static Answer of(Cause cause, int retryAfterSec) {
        Answer answer = error(cause.status(), cause.errorCode(), cause.message());
        return switch (cause) {
            case FULL, STALLED, SHORT, LATE, CONNECTIONS -> answer.with("Retry-After", Integer.toString(retryAfterSec));
            case CONFLICT -> answer.with("Retry-After", "1");
            case STOPPING -> answer.with("Retry-After", "1").closing();
            case SLOW -> answer.closing();
            case FAILED, UNKNOWN -> answer;
        };
    }

    /** The answer to a request of which every record is settled. Success if Kafka has at least one of them. */
    static Answer settled(Places places) {
        if (places.areNowhere()) {
            return error(422, DROPPED, DROPPED_TEXT);
        }
        StringBuilder body = offsets(places.records());
        for (int i = 0; i < places.records(); i++) {
            append(body, i, places.partition(i), places.offset(i), places.partition(i) < 0);
        }
        return success(body);
    }

    /** The answer to a request whose records Kafka has, although their places are not known any more. */
    static Answer withoutPlaces(int records) {
        StringBuilder body = offsets(records);
        for (int i = 0; i < records; i++) {
            append(body, i, -1, -1, false);
        }
        return success(body);
    }

    private static StringBuilder offsets(int records) {
        return new StringBuilder(64 + 64 * records).append("{\"offsets\":[");
    }

    private static void append(StringBuilder body, int index, int partition, long offset, boolean isDropped) {
        body.append(index == 0 ? "" : ",").append("{\"partition\":");
        appendNumber(body, partition);
        body.append(",\"offset\":");
        appendNumber(body, offset);
        if (isDropped) {
            body.append(",\"error_code\":")
                    .append(DROPPED)
                    .append(",\"error\":\"")
                    .append(DROPPED_TEXT)
                    .append("\"}");
        } else {
            body.append(",\"error_code\":null,\"error\":null}");
        }
    }

    private static void appendNumber(StringBuilder body, long number) {
        if (number < 0) {
            body.append("null");
        } else {
            body.append(number);
        }
    }

    private static Answer success(StringBuilder offsets) {
        String body = offsets.append("],\"key_schema_id\":null,\"value_schema_id\":null}")
                .toString();
        return new Answer(OK, KAFKA_JSON, bytes(body), List.of(), false);
    }

    /** The same answer, marked as that to an earlier request with the same key. */
    Answer replayed() {
        return with("Idempotent-Replayed", "true");
    }

    Answer with(String name, String value) {
        List<Field> more = new ArrayList<>(fields);
        more.add(new Field(name, value));
        return new Answer(status, mediaType, body, List.copyOf(more), closes);
    }

    Answer closing() {
        return new Answer(status, mediaType, body, fields, true);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A text within a JSON string. */
    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                escaped.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                escaped.append(String.format("\\u%04x", (int) c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }
}
