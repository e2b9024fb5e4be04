package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.connect.upstream.http.RawClient;
import io.microbatch.testbed.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Bytes that are meant to harm, sent to a real worker over raw sockets: each is refused as documented, nothing of it is
 * in the topic, and the next client is served.
 */
@ExtendWith(Cluster.Shared.class)
class HttpBadInputIT {

    private static final String JSON = "Content-Type: application/vnd.kafka.json.v2+json";
    private static final String LINES = "Content-Type: application/x-ndjson";
    private static final String PLAIN = "Content-Type: text/plain";
    private static final String RECORD = "{\"records\":[{\"value\":\"bad\"}]}";
    private static final int MIB = 1 << 20;

    private final Cluster cluster;

    HttpBadInputIT(Cluster cluster) {
        this.cluster = cluster;
    }

    /** A request and the status that answers it. */
    private record Case(String name, int status, String request) {}

    @Test
    void refusesMalformedHttp() {
        HttpIngest ingest = HttpIngest.of(cluster, "http-bad-framing");
        String head = "POST /events/" + ingest.name() + " HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n";
        check(
                ingest,
                List.of(
                        new Case(
                                "length and chunks",
                                400,
                                head + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nbad\r\n0\r\n\r\n"),
                        new Case(
                                "chunks and length",
                                400,
                                head + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n3\r\nbad\r\n0\r\n\r\n"),
                        new Case("two lengths", 400, head + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nbad!"),
                        new Case("two equal lengths", 400, head + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nbad"),
                        new Case("list of lengths", 400, head + "Content-Length: 3, 3\r\n\r\nbad"),
                        new Case("negative length", 400, head + "Content-Length: -3\r\n\r\nbad"),
                        new Case("signed length", 400, head + "Content-Length: +3\r\n\r\nbad"),
                        new Case("hexadecimal length", 400, head + "Content-Length: 0x3\r\n\r\nbad"),
                        new Case("endless length", 400, head + "Content-Length: 99999999999999999999\r\n\r\nbad"),
                        new Case(
                                "bad chunk size",
                                400,
                                head + "Transfer-Encoding: chunked\r\n\r\nzz\r\nbad\r\n0\r\n\r\n"),
                        new Case(
                                "negative chunk size",
                                400,
                                head + "Transfer-Encoding: chunked\r\n\r\n-3\r\nbad\r\n0\r\n\r\n"),
                        new Case(
                                "chunk longer than its size",
                                400,
                                head + "Transfer-Encoding: chunked\r\n\r\n2\r\nbad\r\n0\r\n\r\n"),
                        new Case("encoding after chunked", 400, head + "Transfer-Encoding: chunked, gzip\r\n\r\n"),
                        new Case(
                                "chunked twice",
                                400,
                                head + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
                        new Case("NUL in a header", 400, head + "X-A: a\0b\r\nContent-Length: 3\r\n\r\nbad"),
                        new Case("bare CR in a header", 400, head + "X-A: a\rb\r\nContent-Length: 3\r\n\r\nbad"),
                        new Case("space in a name", 400, head + "X A: b\r\nContent-Length: 3\r\n\r\nbad"),
                        new Case("space before the colon", 400, head + "Content-Length : 3\r\n\r\nbad"),
                        new Case(
                                "HTTP/1.0 with chunks",
                                400,
                                head.replace("HTTP/1.1", "HTTP/1.0")
                                        + "Transfer-Encoding: chunked\r\n\r\n3\r\nbad\r\n0\r\n\r\n"),
                        new Case("HTTP/2 without an upgrade", 400, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
                        new Case("no host", 400, head.replace("Host: a\r\n", "") + "Content-Length: 3\r\n\r\nbad"),
                        new Case("two hosts", 400, head + "Host: b\r\nContent-Length: 3\r\n\r\nbad"),
                        new Case("long line", 414, "POST /" + "a".repeat(5_000) + " HTTP/1.1\r\nHost: a\r\n\r\n"),
                        new Case("long header", 431, head + "X-A: " + "a".repeat(20_000) + "\r\n\r\n"),
                        new Case("many headers", 431, head + "X-A: b\r\n".repeat(3_000) + "\r\n"),
                        new Case(
                                "TLS",
                                400,
                                "\u0016\u0003\u0001\u0000\u00a5\u0001\u0000\u0000\u00a1\u0003\u0003\r\n\r\n")));
    }

    @Test
    void refusesMalformedAndEndlessBodies() throws IOException {
        HttpIngest ingest = HttpIngest.of(cluster, "http-bad-bodies");
        String records = "/topics/" + ingest.name();
        String events = "/events/" + ingest.name();
        check(
                ingest,
                List.of(
                        new Case(
                                "gzip bomb",
                                413,
                                post(events, gzip("0".repeat(64 * MIB)), PLAIN, "Content-Encoding: gzip")),
                        new Case("not gzip", 400, post(events, "bad", PLAIN, "Content-Encoding: gzip")),
                        new Case("other encoding", 415, post(events, "bad", PLAIN, "Content-Encoding: br")),
                        new Case(
                                "nested arrays",
                                400,
                                post(records, "{\"records\":[{\"value\":" + "[".repeat(1_000_000), JSON)),
                        new Case("nested lines", 400, post(events, "[".repeat(1_000_000), LINES)),
                        new Case(
                                "long number",
                                400,
                                post(records, "{\"records\":[{\"value\":" + "9".repeat(100_000) + "}]}", JSON)),
                        new Case(
                                "large key",
                                413,
                                post(
                                        records,
                                        "{\"records\":[{\"key\":\"" + "k".repeat(MIB - 40) + "\",\"value\":1}]}",
                                        JSON)),
                        new Case("large body", 413, post(events, "x".repeat(MIB + 1), PLAIN)),
                        new Case(
                                "many records",
                                413,
                                post(
                                        records,
                                        "{\"records\":[" + "{\"key\":1},".repeat(100_000) + "{\"key\":1}]}",
                                        JSON)),
                        new Case("many lines", 413, post(events, "1\n".repeat(100_000), LINES)),
                        new Case("not UTF-8", 400, post(records, "{\"records\":[{\"value\":\"\u00ff\"}]}", JSON)),
                        new Case("UTF-16", 400, post(events, "1\0\n\0", LINES)),
                        new Case(
                                "duplicate field",
                                422,
                                post(records, "{\"records\":[{\"value\":1,\"value\":2}]}", JSON)),
                        new Case("misspelt field", 422, post(records, "{\"records\":[{\"vaule\":1}]}", JSON)),
                        new Case("half of the JSON", 400, post(records, "{\"records\":[{\"value\":\"bad\"}", JSON)),
                        new Case("more than the JSON", 400, post(records, RECORD + RECORD, JSON)),
                        new Case("no records", 422, post(records, "{\"records\":[]}", JSON)),
                        new Case("one bad line", 400, post(events, "1\n2\n{\n3\n", LINES)),
                        new Case(
                                "timestamp", 422, post(records, "{\"records\":[{\"value\":1,\"timestamp\":1}]}", JSON)),
                        new Case(
                                "reserved header",
                                422,
                                post(
                                        records,
                                        "{\"records\":[{\"value\":1,\"headers\":"
                                                + "[{\"key\":\"__connect.errors.topic\",\"value\":\"\"}]}]}",
                                        JSON)),
                        new Case(
                                "half an event",
                                422,
                                post(
                                        events,
                                        "{\"specversion\":\"1.0\"}",
                                        "Content-Type: application/cloudevents+json"))));
    }

    @Test
    void refusesOtherTopicsPartitionsAndHeaders() {
        HttpIngest ingest = HttpIngest.of(cluster, "http-bad-heads");
        String records = "/topics/" + ingest.name();
        List<Case> cases = new ArrayList<>();
        for (String topic : List.of("..%2Fx", "../x", "__consumer_offsets", "unlisted", "%00", "a%20b", ".", "")) {
            cases.add(new Case("topic " + topic, 404, post("/topics/" + topic, RECORD, JSON)));
        }
        for (String partition : List.of("-1", "2147483648", "1", "x")) {
            cases.add(
                    new Case("partition " + partition, 422, post(records + "/partitions/" + partition, RECORD, JSON)));
        }
        for (String partition : List.of("-1", "2147483648", "1", "\"0\"")) {
            String body = "{\"records\":[{\"value\":\"bad\",\"partition\":" + partition + "}]}";
            cases.add(new Case("record's partition " + partition, 422, post(records, body, JSON)));
        }
        for (String timeout : List.of("0", "-1", "abc", "")) {
            cases.add(new Case(
                    "timeout " + timeout, 400, post(records, RECORD, JSON, "X-Request-Timeout-Ms: " + timeout)));
        }
        for (String key : List.of("", "\"\"", "k".repeat(300))) {
            cases.add(new Case("key of " + key.length(), 400, post(records, RECORD, JSON, "Idempotency-Key: " + key)));
        }
        cases.add(new Case("Avro", 415, post(records, RECORD, "Content-Type: application/vnd.kafka.avro.v2+json")));
        cases.add(new Case("no type", 415, post(records, RECORD)));
        cases.add(new Case("accepts images", 406, post(records, RECORD, JSON, "Accept: image/png")));
        cases.add(new Case("other method", 405, post(records, RECORD, JSON).replace("POST", "PUT")));
        check(ingest, cases);
    }

    /**
     * Only a begun body ends by time, because the other timeouts are long. The test sends each complete request at
     * once, so that a slow machine completes it all the same.
     */
    @Test
    void endsWhatIsIncompleteAndKeepsWhatIsComplete() {
        HttpIngest ingest = HttpIngest.of(cluster, "http-bad-slow");
        Map<String, String> timeouts = Map.of(
                "upstream.http.header.timeout.ms", "600000",
                "upstream.http.body.timeout.ms", "1000",
                "upstream.http.idle.timeout.ms", "600000");
        HttpPoster poster = ingest.start(Mode.EXACTLY_ONCE, timeouts);
        String events = "/events/" + ingest.name();
        String head = "POST " + events + " HTTP/1.1\r\nHost: a\r\n" + PLAIN + "\r\nContent-Length: 3\r\n\r\n";
        List<RawClient> heads = new ArrayList<>();
        List<RawClient> bodies = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            RawClient ofHead = new RawClient(ingest.port());
            ofHead.send("POST " + events);
            heads.add(ofHead);
            RawClient ofBody = new RawClient(ingest.port());
            ofBody.send(head + "b");
            bodies.add(ofBody);
        }
        assertWritten(ingest, post(events, "while", PLAIN));
        for (RawClient client : bodies) {
            assertThat(client.response().status()).isEqualTo(408);
            assertThat(client.isClosed()).isTrue();
            client.close();
        }
        // A client that goes before its request is complete has sent nothing, and one that goes later has.
        heads.forEach(RawClient::close);
        try (RawClient gone = new RawClient(ingest.port())) {
            gone.send(head + "ba");
        }
        try (RawClient gone = new RawClient(ingest.port())) {
            gone.send(post(events, "complete", PLAIN));
        }
        assertWritten(ingest, post(events, "last", PLAIN, "X-Request-Timeout-Ms: 1000000000"));
        assertThat(poster.get("/health/ready").status()).isEqualTo(200);
        // Nobody is told when the event of the client that has gone is written.
        Await.until(
                "three events",
                Duration.ofSeconds(60),
                () -> ingest.values().size() >= 3,
                () -> ingest.values().toString());
        cluster.rest(Mode.EXACTLY_ONCE).delete(ingest.name());
        assertThat(ingest.values()).containsExactlyInAnyOrder("while", "complete", "last");
    }

    /** Sends a request at once, on a connection of its own. */
    private static void assertWritten(HttpIngest ingest, String request) {
        try (RawClient client = new RawClient(ingest.port())) {
            client.send(request);
            RawClient.Response response = client.response();
            assertThat(response.status()).as("%s", response).isEqualTo(200);
        }
    }

    /** Sends each request on a connection of its own. Then one event is sent, which is all that the topic gets. */
    private void check(HttpIngest ingest, List<Case> cases) {
        HttpPoster poster = ingest.start(Mode.EXACTLY_ONCE, Map.of());
        SoftAssertions soft = new SoftAssertions();
        for (Case each : cases) {
            try (RawClient client = new RawClient(ingest.port())) {
                client.send(each.request());
                RawClient.Response response = client.response();
                soft.assertThat(response.status())
                        .as("%s: %s", each.name(), response.body())
                        .isEqualTo(each.status());
                soft.assertThat(response.body())
                        .as(each.name())
                        .contains("error_code")
                        .doesNotContain("bad")
                        .doesNotContain("io.");
            }
            soft.assertThat(poster.get("/health/ready").status())
                    .as(each.name())
                    .isEqualTo(200);
        }
        HttpPoster.Reply surrogate = poster.post(
                "/topics/" + ingest.name(), HttpPoster.JSON_RECORDS, "{\"records\":[{\"value\":\"\\ud800\"}]}");
        soft.assertThat(surrogate.status()).as(surrogate.toString()).isEqualTo(200);
        soft.assertThat(ingest.values()).containsExactly("\"\\ud800\"");
        cluster.rest(Mode.EXACTLY_ONCE).delete(ingest.name());
        soft.assertAll();
    }

    /** A request whose characters are bytes. */
    private static String post(String target, String body, String... fields) {
        StringBuilder request = new StringBuilder("POST " + target + " HTTP/1.1\r\nHost: a\r\n");
        for (String field : fields) {
            request.append(field).append("\r\n");
        }
        return request + "Content-Length: " + body.length() + "\r\n\r\n" + body;
    }

    private static String gzip(String content) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(content.getBytes(StandardCharsets.ISO_8859_1));
        }
        return packed.toString(StandardCharsets.ISO_8859_1);
    }
}
