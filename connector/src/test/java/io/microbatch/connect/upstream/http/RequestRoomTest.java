package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.common.RecordSize;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** A request takes as much room as its records take on the heap, however small its body is. */
class RequestRoomTest {

    private static final int RECORDS = 100;
    private static final int HEADERS = 200;

    @Test
    void countsRecordsAndHeadersAsAStripeCountsThem() throws IOException {
        byte[] body = gzip(body(RECORDS, HEADERS));
        try (RunningServer server = new RunningServer(Map.of());
                RawClient client = server.connect()) {
            post(client, body);
            PendingRequest request = server.take();
            List<HttpEvent> events = request.offer();
            long heapBytes = IntStream.range(0, events.size())
                    .mapToObj(i -> new HttpRecord(request, i, events.get(i), Map.of(), Map.of()))
                    .mapToLong(RecordSize::estimateBytes)
                    .sum();
            assertThat(heapBytes).isGreaterThan(500L * body.length);
            assertThat(server.service.admission().inflightBytes()).isEqualTo(heapBytes);

            RunningServer.settle(request, 0);
            assertThat(client.response().status()).isEqualTo(200);
            assertThat(server.service.admission().inflightBytes()).isZero();
        }
    }

    /** Otherwise it could never be served. */
    @Test
    void servesARequestThatTakesMoreThanAllRoomAlone() throws IOException {
        byte[] body = gzip(body(RECORDS, HEADERS));
        try (RunningServer server = new RunningServer(Map.of("max.inflight.bytes", "1048576"));
                RawClient large = server.connect();
                RawClient small = server.connect()) {
            small.post("x");
            PendingRequest first = server.offered();
            post(large, body);
            RawClient.Response full = large.response();
            assertThat(full.status()).isEqualTo(503);
            assertThat(full.body()).contains("50301");
            RunningServer.settle(first, 0);
            assertThat(small.response().status()).isEqualTo(200);

            post(large, body);
            PendingRequest alone = server.offered();
            small.post("y");
            assertThat(small.response().body()).contains("50301");
            RunningServer.settle(alone, 1);
            assertThat(large.response().status()).isEqualTo(200);
            assertThat(server.service.admission().inflightBytes()).isZero();
        }
    }

    /** The head of each came when no request was on its way. */
    @Test
    void refusesARequestThatIsCompleteWhenTheLimitIsReached() {
        try (RunningServer server = new RunningServer(Map.of("max.inflight.requests", "1"));
                RawClient first = server.connect();
                RawClient second = server.connect()) {
            sendHead(first);
            sendHead(second);
            first.send("x");
            PendingRequest only = server.offered();
            second.send("y");
            RawClient.Response full = second.response();
            assertThat(full.status()).isEqualTo(503);
            assertThat(full.body()).contains("50301");
            assertThat(server.service.admission().inflightRequests()).isOne();

            RunningServer.settle(only, 0);
            assertThat(first.response().status()).isEqualTo(200);
            assertThat(server.service.admission().inflightRequests()).isZero();
            assertThat(server.service.admission().inflightBytes()).isZero();
            second.post("y");
            RunningServer.settle(server.offered(), 1);
            assertThat(second.response().status()).isEqualTo(200);
        }
    }

    /** Sends the head of a request with one byte, and waits until the server has taken it. */
    private static void sendHead(RawClient client) {
        client.send("POST /events/" + RunningServer.TOPIC + " HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
                + "Content-Type: text/plain\r\nContent-Length: 1\r\n\r\n");
        assertThat(client.response().status()).isEqualTo(100);
    }

    private static String body(int records, int headers) {
        String header = "{\"key\":\"a\",\"value\":\"\"}";
        String event = "{\"value\":1,\"headers\":[" + header;
        StringBuilder body = new StringBuilder("{\"records\":[");
        for (int i = 0; i < records; i++) {
            body.append(i == 0 ? "" : ",")
                    .append(event)
                    .append(("," + header).repeat(headers - 1))
                    .append("]}");
        }
        return body.append("]}").toString();
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return packed.toByteArray();
    }

    private static void post(RawClient client, byte[] packed) {
        client.send("POST /topics/" + RunningServer.TOPIC + " HTTP/1.1\r\nHost: a\r\n"
                + "Content-Type: application/vnd.kafka.json.v2+json\r\nContent-Encoding: gzip\r\nContent-Length: "
                + packed.length + "\r\n\r\n" + new String(packed, StandardCharsets.ISO_8859_1));
    }
}
