package io.microbatch.bench.http.peer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * The endpoints of the connector that the load uses: {@code POST /events/TOPIC} with a value or lines of values,
 * {@code POST /topics/TOPIC} with JSON as REST Proxy takes it, {@code GET /health/ready}. Any number of threads.
 */
abstract class IngestHandler extends Handler.Abstract {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long DEFAULT_TIMEOUT_MS = 30_000;
    private static final String EVENTS = "/events/";
    private static final String TOPICS = "/topics/";

    /** With {@link InvocationType#NON_BLOCKING} requests are taken on the thread that reads their sockets. */
    IngestHandler(InvocationType type) {
        super(type);
    }

    /**
     * What a request asks for.
     *
     * @param timeoutMs how long it may take
     */
    record Ingest(String topic, List<byte[]> values, long timeoutMs) {}

    /** A request without an answer. It gets one answer, from any thread. */
    record Exchange(Response response, Callback callback) {

        /** Answers as REST Proxy does. */
        void written(List<RecordMetadata> places) {
            answer(200, offsets(places));
        }

        void failed(int status, int code, String message) {
            answer(status, "{\"error_code\":" + code + ",\"message\":\"" + message + "\"}");
        }

        /** The cause is one that a send ends with. */
        void failed(Throwable cause) {
            if (cause instanceof TimeoutException) {
                failed(504, 50401, "not acknowledged in time");
            } else {
                failed(500, 50001, "the send failed");
            }
        }

        private void answer(int status, String json) {
            byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
            response.setStatus(status);
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/vnd.kafka.v2+json");
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, bytes.length);
            response.write(true, ByteBuffer.wrap(bytes), callback);
        }
    }

    /** Reads the body, and lets {@link #begin} send it. */
    abstract void read(Request request, Exchange exchange) throws IOException;

    /** Sends, and sees to the answer. */
    abstract void send(Ingest ingest, Exchange exchange);

    @Override
    public final boolean handle(Request request, Response response, Callback callback) throws IOException {
        String path = Request.getPathInContext(request);
        Exchange exchange = new Exchange(response, callback);
        if (path.equals("/health/ready")) {
            exchange.answer(200, "{}");
        } else if (path.startsWith(EVENTS) || path.startsWith(TOPICS)) {
            read(request, exchange);
        } else {
            exchange.failed(404, 404, "no such path");
        }
        return true;
    }

    /** Sends what the body has. */
    final void begin(Request request, ByteBuffer body, Exchange exchange) {
        String path = Request.getPathInContext(request);
        Ingest ingest;
        try {
            byte[] bytes = bytes(body);
            List<byte[]> values = path.startsWith(EVENTS) ? events(request, bytes) : records(bytes);
            String timeout = request.getHeaders().get("X-Request-Timeout-Ms");
            ingest = new Ingest(
                    path.substring(EVENTS.length()),
                    values,
                    timeout == null ? DEFAULT_TIMEOUT_MS : Long.parseLong(timeout));
        } catch (IOException | NumberFormatException e) {
            exchange.failed(400, 400, "not valid");
            return;
        }
        send(ingest, exchange);
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    /** The lines of a body, or the whole of it where it does not have lines. */
    private static List<byte[]> events(Request request, byte[] body) {
        if (!"application/x-ndjson".equals(request.getHeaders().get(HttpHeader.CONTENT_TYPE))) {
            return List.of(body);
        }
        return lines(body);
    }

    static List<byte[]> lines(byte[] body) {
        List<byte[]> values = new ArrayList<>();
        int from = 0;
        for (int at = 0; at <= body.length; at++) {
            if (at == body.length || body[at] == '\n') {
                if (at > from) {
                    values.add(Arrays.copyOfRange(body, from, at));
                }
                from = at + 1;
            }
        }
        return values;
    }

    static List<byte[]> records(byte[] body) throws IOException {
        List<byte[]> values = new ArrayList<>();
        for (JsonNode each : JSON.readTree(body).path("records")) {
            values.add(JSON.writeValueAsBytes(each.path("value")));
        }
        return values;
    }

    private static String offsets(List<RecordMetadata> places) {
        StringBuilder json = new StringBuilder("{\"offsets\":[");
        for (int i = 0; i < places.size(); i++) {
            json.append(i == 0 ? "" : ",")
                    .append("{\"partition\":")
                    .append(places.get(i).partition())
                    .append(",\"offset\":")
                    .append(places.get(i).offset())
                    .append(",\"error_code\":null,\"error\":null}");
        }
        return json.append("],\"key_schema_id\":null,\"value_schema_id\":null}").toString();
    }
}
