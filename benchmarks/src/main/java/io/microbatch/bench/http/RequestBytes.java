package io.microbatch.bench.http;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The bytes of one client's requests: formatted once, then only numbers and filler change. One thread. */
final class RequestBytes {

    /** Run, client and number of the request in hexadecimal digits, with hyphens between them. */
    private static final int KEY_CHARS = 22;

    private final EventCodec codec = new EventCodec();
    private final Shape shape;
    private final int run;
    private final int client;
    private final byte[] bytes;
    private final ByteBuffer buffer;
    private final int keyAt;
    private final int firstAt;
    private final int stepBytes;

    RequestBytes(URI server, String topic, Shape shape, int run, int client) {
        this.shape = shape;
        this.run = run;
        this.client = client;
        String key = "-".repeat(KEY_CHARS);
        int bodyBytes = shape.begin().length()
                + shape.records() * shape.bytes()
                + (shape.records() - 1) * shape.between().length()
                + shape.end().length();
        String head = "POST " + shape.path(topic) + " HTTP/1.1\r\nHost: " + server.getAuthority()
                + "\r\nContent-Type: " + shape.contentType()
                + "\r\nAccept: application/vnd.kafka.v2+json\r\nX-Request-Timeout-Ms: " + shape.timeoutMs()
                + (shape.keyed() ? "\r\nIdempotency-Key: \"" + key + "\"" : "")
                + "\r\nContent-Length: " + bodyBytes + "\r\n\r\n";
        StringBuilder text = new StringBuilder(head).append(shape.begin());
        firstAt = text.length();
        stepBytes = shape.bytes() + shape.between().length();
        for (int record = 0; record < shape.records(); record++) {
            text.append(record == 0 ? "" : shape.between()).append(" ".repeat(shape.bytes()));
        }
        text.append(shape.end());
        keyAt = shape.keyed() ? head.indexOf(key) : -1;
        bytes = text.toString().getBytes(StandardCharsets.US_ASCII);
        buffer = ByteBuffer.wrap(bytes);
    }

    /** The request of this number. The buffer is valid until the next call. */
    ByteBuffer request(int number) {
        for (int record = 0; record < shape.records(); record++) {
            codec.write(
                    bytes,
                    firstAt + record * stepBytes,
                    shape.bytes(),
                    new EventCodec.Place(run, client, number, record));
        }
        if (keyAt >= 0) {
            EventCodec.hex(bytes, keyAt, 8, run);
            EventCodec.hex(bytes, keyAt + 9, 4, client);
            EventCodec.hex(bytes, keyAt + 14, 8, number);
        }
        return buffer.clear();
    }
}
