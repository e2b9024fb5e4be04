package io.microbatch.bench.http.peer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * The endpoints of the connector that the load uses: {@code POST /events/TOPIC} with a value or lines of values,
 * {@code POST /topics/TOPIC} with JSON as REST Proxy takes it, {@code GET /health/ready}. Answers on the thread of the
 * request. Any number of threads.
 */
final class IngestHandler extends Handler.Abstract {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long DEFAULT_TIMEOUT_MS = 30_000;
    private static final String EVENTS = "/events/";
    private static final String TOPICS = "/topics/";

    private final Sending sending;

    IngestHandler(Sending sending) {
        this.sending = sending;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws IOException {
        String path = Request.getPathInContext(request);
        if (path.equals("/health/ready")) {
            answer(response, callback, 200, "{}");
            return true;
        }
        boolean lines = path.startsWith(EVENTS);
        if (!lines && !path.startsWith(TOPICS)) {
            answer(response, callback, 404, error(404, "no such path"));
            return true;
        }
        String topic = path.substring(EVENTS.length());
        byte[] body = bytes(Content.Source.asByteBuffer(request));
        try {
            List<byte[]> values = lines ? events(request, body) : records(body);
            String timeout = request.getHeaders().get("X-Request-Timeout-Ms");
            long timeoutMs = timeout == null ? DEFAULT_TIMEOUT_MS : Long.parseLong(timeout);
            answer(response, callback, 200, places(sending.send(topic, values, timeoutMs)));
        } catch (JsonProcessingException | NumberFormatException e) {
            answer(response, callback, 400, error(400, "not valid"));
        } catch (Sending.RefusedException e) {
            answer(response, callback, 503, error(50301, e.getMessage()));
        } catch (TimeoutException e) {
            answer(response, callback, 504, error(50401, "not acknowledged in time"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answer(response, callback, 500, error(50001, "the server stops"));
        } catch (ExecutionException | KafkaException e) {
            answer(response, callback, 500, error(50001, "the send failed"));
        }
        return true;
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

    /** The answer of REST Proxy. */
    private static String places(List<RecordMetadata> places) {
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

    private static String error(int code, String message) {
        return "{\"error_code\":" + code + ",\"message\":\"" + message + "\"}";
    }

    private static void answer(Response response, Callback callback, int status, String json) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/vnd.kafka.v2+json");
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, bytes.length);
        response.write(true, ByteBuffer.wrap(bytes), callback);
    }
}
