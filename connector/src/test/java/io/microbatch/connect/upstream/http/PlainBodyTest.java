package io.microbatch.connect.upstream.http;

import static io.microbatch.connect.upstream.http.Refusals.assertRefused;
import static io.microbatch.connect.upstream.http.Requests.JSON;
import static io.microbatch.connect.upstream.http.Requests.LINES;
import static io.microbatch.connect.upstream.http.Requests.head;
import static io.microbatch.connect.upstream.http.Requests.headers;
import static io.microbatch.connect.upstream.http.Requests.one;
import static io.microbatch.connect.upstream.http.Requests.parse;
import static io.microbatch.connect.upstream.http.Requests.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plain bodies, and what is decided by the head of any request. */
class PlainBodyTest {

    private static final String ORDERS = "/events/orders";

    @Test
    void takesTheBodyAsTheValue() throws Refusal {
        byte[] body = {0, (byte) 0xff, '\n'};
        HttpEvent event = parse(Requests.bodies(), body, ORDERS + "?key=%00k", "Content-Type: Image/PNG; a=B")
                .get(0);
        assertThat(event.value()).isEqualTo(body);
        assertThat(event.key()).containsExactly(0, 'k');
        assertThat(headers(event)).containsExactly("content-type=Image/PNG; a=B");
        assertThat(event.partition()).isNull();
    }

    @Test
    void takesABodyWithoutTypeKeyOrContent() throws Refusal {
        HttpEvent event = one("", ORDERS);
        assertThat(event.value()).isEmpty();
        assertThat(event.key()).isNull();
        assertThat(event.headers()).isEmpty();
    }

    @Test
    void takesTheKeyFromTheHeaderAsItWasSent() throws Refusal {
        HttpEvent event = one("v", ORDERS, "X-Kafka-Key: k\u00fc%20");
        assertThat(event.key()).isEqualTo("kü%20".getBytes(StandardCharsets.ISO_8859_1));
        assertRefused(400, 400, () -> one("v", ORDERS + "?key=a", "X-Kafka-Key: a"));
        assertRefused(400, 400, () -> one("{\"records\":[{\"value\":1}]}", "/topics/orders?key=a", JSON));
    }

    @Test
    void copiesListedHeadersOnly() throws Refusal {
        HttpEvent event =
                one("v", ORDERS, "tracestate: a=1", "Authorization: Bearer t", "Traceparent: 00-ab", "Traceparent: 2");
        assertThat(headers(event)).containsExactly("traceparent=00-ab", "tracestate=a=1");
        HttpEvent own = one(
                "{\"records\":[{\"value\":1,\"headers\":[{\"key\":\"traceparent\",\"value\":\"b3du\"}]}]}",
                "/topics/orders",
                JSON,
                "Traceparent: 00-ab",
                "Tracestate: a=1");
        assertThat(headers(own)).containsExactly("traceparent=own", "tracestate=a=1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Type: application/json",
                "Content-Type: application/vnd.kafka.avro.v2+json",
                "Content-Type: application/vnd.kafka.jsonschema.v2+json",
                "Content-Type: application/vnd.kafka.protobuf.v2+json",
                "Content-Type: application/x-ndjson",
                "X-No: type"
            })
    void refusesOtherTypesOfRecords(String type) {
        assertRefused(415, 415, () -> Requests.bodies().checkHead(head("/topics/orders", type)));
    }

    @Test
    void refusesRecordsAmongEvents() {
        assertRefused(415, 415, () -> Requests.bodies().checkHead(head(ORDERS, JSON)));
    }

    @Test
    void refusesOtherCharacterSetsThanUtf8() throws Refusal {
        assertRefused(415, 415, () -> Requests.bodies().checkHead(head("/topics/orders", JSON + "; charset=latin1")));
        assertRefused(415, 415, () -> one("1", ORDERS, "Content-Type: application/x-ndjson;a=b; Charset=\"UTF-16\""));
        assertThat(one("1", ORDERS, "Content-Type: Application/X-NDJSON ; charset=UTF-8"))
                .isNotNull();
    }

    @Test
    void checksPartitionAndKeyBeforeTheBody() {
        assertRefused(422, 42220, () -> Requests.bodies().checkHead(head("/topics/orders/partitions/6", JSON)));
        assertRefused(422, 42220, () -> Requests.bodies().checkHead(head("/topics/notes/partitions/0", JSON)));
        assertRefused(400, 400, () -> Requests.bodies().checkHead(head(ORDERS + "?key=a", "X-Kafka-Key: a")));
    }

    @Test
    void decompressesGzip() throws Exception {
        byte[] packed = gzip("a line\n".repeat(1_000).getBytes(StandardCharsets.UTF_8));
        for (String encoding : new String[] {"gzip", "GZIP", "x-gzip"}) {
            HttpEvent event = parse(Requests.bodies(), packed, ORDERS, "Content-Encoding: " + encoding)
                    .get(0);
            assertThat(text(event.value())).isEqualTo("a line\n".repeat(1_000));
        }
        assertThat(text(one("v", ORDERS, "Content-Encoding: identity").value())).isEqualTo("v");
    }

    @ParameterizedTest
    @ValueSource(strings = {"br", "deflate", "gzip, gzip", "zstd"})
    void refusesOtherEncodings(String encoding) {
        assertRefused(415, 415, () -> Requests.bodies().checkHead(head(ORDERS, "Content-Encoding: " + encoding)));
    }

    @Test
    void refusesIncompleteGzip() throws IOException {
        byte[] packed = gzip("value".getBytes(StandardCharsets.UTF_8));
        for (int length = 0; length < packed.length; length++) {
            byte[] part = Arrays.copyOf(packed, length);
            assertRefused(400, 400, () -> parse(Requests.bodies(), part, ORDERS, "Content-Encoding: gzip"));
        }
        packed[packed.length - 5] ^= 1;
        assertRefused(400, 400, () -> parse(Requests.bodies(), packed, ORDERS, "Content-Encoding: gzip"));
    }

    @Test
    void readsEveryMemberOfGzip() throws Exception {
        byte[] first = gzip("1\n".getBytes(StandardCharsets.UTF_8));
        byte[] second = gzip("2\n".getBytes(StandardCharsets.UTF_8));
        assertThat(parse(Requests.bodies(), joined(first, second), ORDERS, LINES, "Content-Encoding: gzip"))
                .extracting(event -> text(event.value()))
                .containsExactly("1", "2");
    }

    @Test
    void refusesAnythingBehindGzip() throws Exception {
        byte[] whole = gzip("1\n".getBytes(StandardCharsets.UTF_8));
        byte[] damaged = whole.clone();
        damaged[1] ^= 1;
        List<byte[]> rests = new ArrayList<>(
                List.of("2\n".getBytes(StandardCharsets.UTF_8), new byte[5], new byte[1], new byte[100], damaged));
        for (int length = 1; length < whole.length; length++) {
            rests.add(Arrays.copyOf(whole, length));
        }
        for (byte[] rest : rests) {
            byte[] body = joined(whole, rest);
            assertRefused(400, 400, () -> parse(Requests.bodies(), body, ORDERS, LINES, "Content-Encoding: gzip"));
        }
    }

    @Test
    void readsEachFieldOfTheHeaderOfGzip() throws Exception {
        byte[] plain = gzip("1\n".getBytes(StandardCharsets.UTF_8));
        byte[] header = Arrays.copyOf(plain, 10);
        header[3] = 2 | 4 | 8 | 16;
        byte[] fields = joined(header, new byte[] {2, 0, 'x', 'y', 'n', 0, 'c', 'd', 0});
        CRC32 crc = new CRC32();
        crc.update(fields);
        byte[] check = {(byte) crc.getValue(), (byte) (crc.getValue() >> 8)};
        byte[] rest = Arrays.copyOfRange(plain, 10, plain.length);
        byte[] body = joined(joined(fields, check), rest);
        assertThat(parse(Requests.bodies(), body, ORDERS, LINES, "Content-Encoding: gzip"))
                .singleElement()
                .satisfies(event -> assertThat(text(event.value())).isEqualTo("1"));
        for (int place : new int[] {2, fields.length}) {
            byte[] wrong = body.clone();
            wrong[place] ^= 1;
            assertRefused(400, 400, () -> parse(Requests.bodies(), wrong, ORDERS, LINES, "Content-Encoding: gzip"));
        }
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] joined = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, joined, first.length, second.length);
        return joined;
    }

    static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(content);
        }
        return packed.toByteArray();
    }
}
