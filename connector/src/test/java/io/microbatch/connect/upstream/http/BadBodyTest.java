package io.microbatch.connect.upstream.http;

import static io.microbatch.connect.upstream.http.Refusals.assertRefused;
import static io.microbatch.connect.upstream.http.Requests.BINARY;
import static io.microbatch.connect.upstream.http.Requests.JSON;
import static io.microbatch.connect.upstream.http.Requests.LINES;
import static io.microbatch.connect.upstream.http.Requests.TEXT;
import static io.microbatch.connect.upstream.http.Requests.bodies;
import static io.microbatch.connect.upstream.http.Requests.limits;
import static io.microbatch.connect.upstream.http.Requests.parse;
import static io.microbatch.connect.upstream.http.Requests.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.microbatch.connect.config.HttpLimits;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that are meant to harm: each is refused at its limit, before it has cost more than the limit says. */
class BadBodyTest {

    private static final String CLOUD_EVENT = "Content-Type: application/cloudevents+json";
    private static final int MIB = 1 << 20;

    @ParameterizedTest
    @ValueSource(strings = {JSON, BINARY, TEXT})
    void refusesAMillionNestedArrays(String format) {
        String nested = "[".repeat(500_000);
        assertRefused(400, 400, () -> parse("{\"records\":[{\"value\":" + nested, "/topics/orders", JSON));
        assertRefused(400, 400, () -> parse("{\"x\":" + nested, "/topics/orders", format));
        assertRefused(422, 42203, () -> parse(nested, "/topics/orders", format));
        assertRefused(400, 400, () -> parse(nested, "/events/orders", LINES));
        assertRefused(400, 400, () -> parse("{\"data\":" + nested, "/events/orders", CLOUD_EVENT));
    }

    @Test
    void takesJsonUpToTheDepth() throws Refusal {
        String deepest = "[".repeat(Json.MAX_DEPTH) + "]".repeat(Json.MAX_DEPTH);
        assertThat(parse(deepest, "/events/orders", LINES)).hasSize(1);
        assertRefused(400, 400, () -> parse("[" + deepest + "]", "/events/orders", LINES));
    }

    @Test
    void refusesLongNumbers() throws Refusal {
        String longest = "9".repeat(Json.MAX_NUMBER_CHARS);
        assertThat(parse(longest, "/events/orders", LINES)).hasSize(1);
        assertRefused(400, 400, () -> parse("9".repeat(100_000), "/events/orders", LINES));
        assertRefused(400, 400, () -> parse("1." + "9".repeat(100_000), "/events/orders", LINES));
        assertRefused(
                400,
                400,
                () -> parse(
                        "{\"records\":[{\"value\":1,\"partition\":" + "9".repeat(100_000) + "}]}",
                        "/topics/orders",
                        JSON));
    }

    @Test
    void refusesTooManyRecords() throws Refusal {
        HttpLimits limits = limits(MIB, 3, MIB);
        assertThat(parse(bodies(limits), bytes("1\n2\n3\n"), "/events/orders", LINES))
                .hasSize(3);
        assertRefused(413, 41301, () -> parse(bodies(limits), bytes("1\n2\n3\n4"), "/events/orders", LINES));
        String records = "{\"value\":1},".repeat(100_000);
        assertRefused(
                413,
                41301,
                () -> parse(
                        bodies(limits(4 * MIB, 1_000, MIB)),
                        bytes("{\"records\":[" + records),
                        "/topics/orders",
                        JSON));
    }

    @Test
    void refusesALargeRecord() throws Refusal {
        // 97 bytes of a record and of its batch count too.
        HttpLimits limits = limits(MIB, 10, 1_000);
        assertThat(parse(bodies(limits), new byte[903], "/events/orders")).hasSize(1);
        assertRefused(413, 41301, () -> parse(bodies(limits), new byte[904], "/events/orders"));
        assertRefused(413, 41301, () -> parse(bodies(limits), new byte[903], "/events/orders?key=k"));
        assertRefused(413, 41301, () -> parse(bodies(limits), new byte[903], "/events/orders", "traceparent: 1"));
        String key = "{\"records\":[{\"value\":1,\"key\":\"" + "k".repeat(MIB - 100) + "\"}]}";
        assertRefused(413, 41301, () -> parse(bodies(limits), bytes(key), "/topics/orders", JSON));
    }

    @Test
    void refusesALargeBody() throws Refusal {
        HttpLimits limits = limits(1_024, 10, MIB);
        assertThat(parse(bodies(limits), new byte[1_024], "/events/orders")).hasSize(1);
        assertRefused(413, 41301, () -> parse(bodies(limits), new byte[1_025], "/events/orders"));
    }

    @Test
    void refusesSmallRecordsThatRepeatALargeKeyOrHeader() {
        HttpLimits limits = limits(2_048, 1_000, MIB);
        String lines = "1\n".repeat(1_000);
        String large = "k".repeat(4_000);
        assertRefused(413, 41301, () -> parse(bodies(limits), bytes(lines), "/events/orders?key=" + large, LINES));
        assertRefused(
                413, 41301, () -> parse(bodies(limits), bytes(lines), "/events/orders", LINES, "tracestate: " + large));
    }

    @Test
    void refusesTooManyHeaders() throws Refusal {
        String header = "{\"key\":\"a\",\"value\":\"\"}";
        String most = (header + ",").repeat(HeaderNames.MAX_COUNT - 1) + header;
        assertThat(parse("{\"records\":[{\"value\":1,\"headers\":[" + most + "]}]}", "/topics/orders", JSON)
                        .get(0)
                        .headers())
                .hasSize(HeaderNames.MAX_COUNT);
        assertRefused(
                422,
                42206,
                () -> parse(
                        "{\"records\":[{\"value\":1,\"headers\":[" + most + "," + header + "]}]}",
                        "/topics/orders",
                        JSON));
    }

    @Test
    void stopsAGzipBombAtTheLimit() throws IOException {
        byte[] bomb = PlainBodyTest.gzip(new byte[64 * MIB]);
        assertThat(bomb.length).isLessThan(MIB);
        HttpLimits limits = limits(MIB, 10, MIB);
        Bodies bodies = bodies(limits);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertRefused(413, 41301, () -> parse(bodies, bomb, "/events/orders", "Content-Encoding: gzip"));
        // Allocated, not held: the decompressed megabyte twice, its parts and the body's copies of this test.
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(4L * MIB);
    }

    @Test
    void takesAGzipBodyUpToTheLimit() throws Exception {
        HttpLimits limits = limits(100_000, 10, MIB);
        assertThat(parse(
                                bodies(limits),
                                PlainBodyTest.gzip(new byte[100_000]),
                                "/events/orders",
                                "Content-Encoding: gzip")
                        .get(0)
                        .value())
                .hasSize(100_000);
        byte[] oneMore = PlainBodyTest.gzip(new byte[100_001]);
        assertRefused(413, 41301, () -> parse(bodies(limits), oneMore, "/events/orders", "Content-Encoding: gzip"));
    }

    @Test
    void refusesWhatIsNotUtf8() {
        for (int[] bad : new int[][] {
            {0xff}, {0xc3}, {0xc3, 'x'}, {0xc0, 0x80}, {0xed, 0xa0, 0x80}, {0xf4, 0x90, 0x80, 0x80}, {0x80}
        }) {
            byte[] body = bytes("{\"records\":[{\"value\":\"....\",\"key\":\"" + "k".repeat(5_000) + "\"}]}");
            for (int place : new int[] {22, 3_000}) {
                byte[] broken = body.clone();
                for (int i = 0; i < bad.length; i++) {
                    broken[place + i] = (byte) bad[i];
                }
                assertRefused(400, 400, () -> parse(bodies(), broken, "/topics/orders", JSON));
            }
        }
        assertRefused(400, 400, () -> parse(bodies(), new byte[] {'"', (byte) 0xff, '"'}, "/events/orders", LINES));
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "UTF-16"})
    void refusesOtherEncodingsOfJson(String charset) throws Exception {
        byte[] body = "{\"records\":[{\"value\":1}]}".getBytes(charset);
        assertRefused(400, 400, () -> parse(bodies(), body, "/topics/orders", JSON));
        assertRefused(400, 400, () -> parse(bodies(), "17".getBytes(charset), "/events/orders", LINES));
    }

    @Test
    void takesALoneSurrogateAsItWasSent() throws Refusal {
        List<HttpEvent> events = parse("{\"records\":[{\"value\":\"\\ud800\"}]}", "/topics/orders", JSON);
        assertThat(text(events.get(0).value())).isEqualTo("\"\\ud800\"");
    }

    @Test
    void refusesNamesWithEqualHashes() {
        // The parser keeps names in a hash table, which must not become slow.
        StringBuilder body = new StringBuilder("{");
        for (int i = 0; i < 60_000; i++) {
            body.append('"').append(Integer.toString(i, 36)).append("\":0,");
        }
        assertRefused(422, 42203, () -> parse(body + "\"x\":0}", "/topics/orders", JSON));
        assertRefused(400, 400, () -> parse("{\"" + "n".repeat(100_000) + "\":0}", "/topics/orders", JSON));
    }

    /** Otherwise a client could fill the heap with names, and each further body would copy a table of them. */
    @ParameterizedTest
    @CsvSource({"100, 20, 40000", "1000, 1, 15000"})
    void keepsNoNamesOfBodiesBefore(int count, int names, int chars) throws Refusal {
        Bodies bodies = bodies();
        for (int i = 0; i < count; i++) {
            byte[] body = bytes(object("body" + i + "-", names, chars));
            assertThat(parse(bodies, body, "/events/orders", LINES)).hasSize(1);
        }
        byte[] oneName = bytes(object("new", 1, 4));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        List<HttpEvent> events = parse(bodies, oneName, "/events/orders", LINES);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(MIB);
        assertThat(events).hasSize(1);
    }

    /** An object with so many names of so many characters. */
    private static String object(String prefix, int names, int chars) {
        StringBuilder object = new StringBuilder("{");
        for (int i = 0; i < names; i++) {
            String name = prefix + i;
            object.append(i == 0 ? "\"" : ",\"")
                    .append(name)
                    .append("n".repeat(Math.max(0, chars - name.length())))
                    .append("\":0");
        }
        return object.append('}').toString();
    }

    @Test
    void namesNoPartOfTheBody() {
        byte[] body = bytes("{\"records\":[{\"value\":topsecret}]}");
        assertThat(assertRefused(400, 400, () -> parse(bodies(), body, "/topics/orders", JSON)))
                .hasMessage("The body is not well-formed JSON near byte 21.");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void sharesNoBytesWithTheBody() throws Refusal {
        byte[] body = bytes("value");
        List<HttpEvent> events = bodies().parse(Requests.head("/events/orders"), body, 0, body.length);
        Arrays.fill(body, (byte) 0);
        assertThat(text(events.get(0).value())).isEqualTo("value");
    }
}
