package io.microbatch.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.microbatch.bench.http.EventCodec.Place;
import io.microbatch.bench.http.Shape.Format;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RequestBytesTest {

    private static final URI SERVER = URI.create("http://127.0.0.1:8090");

    private final EventCodec codec = new EventCodec();

    @Test
    void postsASingleValueAsTheBody() {
        String request = text(new Shape(Format.EVENTS, 100, 1, 250, false), 5);

        assertThat(request)
                .startsWith("POST /events/t HTTP/1.1\r\nHost: 127.0.0.1:8090\r\n")
                .contains("\r\nContent-Type: application/octet-stream\r\n")
                .contains("\r\nX-Request-Timeout-Ms: 250\r\n")
                .contains("\r\nContent-Length: 100\r\n")
                .doesNotContain("Idempotency-Key");
        assertThat(codec.read(body(request).getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo(new Place(7, 3, 5, 0));
    }

    @Test
    void postsSeveralValuesAsLines() {
        String request = text(new Shape(Format.EVENTS, 64, 3, 250, false), 9);

        assertThat(request).contains("\r\nContent-Type: application/x-ndjson\r\n");
        assertThat(body(request)).hasSize(length(request));
        assertThat(body(request).lines().map(line -> codec.read(line.getBytes(StandardCharsets.US_ASCII))))
                .containsExactlyElementsOf(places(9, 3));
    }

    @Test
    void postsJsonAsRestProxyTakesIt() throws IOException {
        String request = text(new Shape(Format.REST, 64, 3, 250, false), 9);
        List<Place> read = new ArrayList<>();
        for (JsonNode each : new ObjectMapper().readTree(body(request)).path("records")) {
            read.add(codec.read(each.path("value").toString().getBytes(StandardCharsets.US_ASCII)));
        }

        assertThat(request)
                .startsWith("POST /topics/t HTTP/1.1\r\n")
                .contains("\r\nContent-Type: application/vnd.kafka.json.v2+json\r\n");
        assertThat(body(request)).hasSize(length(request));
        assertThat(read).isEqualTo(places(9, 3));
    }

    @Test
    void givesEachRequestAKeyOfItsOwn() {
        Shape shape = new Shape(Format.EVENTS, 100, 1, 250, true);

        assertThat(text(shape, 0x1f)).contains("\r\nIdempotency-Key: \"00000007-0003-0000001f\"\r\n");
        assertThat(text(shape, 0x20)).contains("\r\nIdempotency-Key: \"00000007-0003-00000020\"\r\n");
    }

    @Test
    void changesOnlyNumbersAndFillerFromOneRequestToTheNext() {
        RequestBytes requests = new RequestBytes(SERVER, "t", new Shape(Format.EVENTS, 100, 2, 250, true), 7, 3);

        String ignored = text(requests.request(1));
        assertThat(text(requests.request(9))).isEqualTo(text(new Shape(Format.EVENTS, 100, 2, 250, true), 9));
    }

    private static List<Place> places(int request, int records) {
        return IntStream.range(0, records)
                .mapToObj(record -> new Place(7, 3, request, record))
                .toList();
    }

    private static String text(Shape shape, int number) {
        return text(new RequestBytes(SERVER, "t", shape, 7, 3).request(number));
    }

    private static String text(ByteBuffer request) {
        return StandardCharsets.US_ASCII.decode(request).toString();
    }

    private static String body(String request) {
        return request.substring(request.indexOf("\r\n\r\n") + 4);
    }

    private static int length(String request) {
        String header = "Content-Length: ";
        int at = request.indexOf(header) + header.length();
        return Integer.parseInt(request.substring(at, request.indexOf('\r', at)));
    }
}
