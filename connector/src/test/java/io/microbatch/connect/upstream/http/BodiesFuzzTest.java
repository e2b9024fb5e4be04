package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.microbatch.connect.config.HttpLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * For any bytes, every parser of bodies returns events or throws a {@link Refusal}. JSON values are parts of the body
 * as sent, and as a line each of them is taken again.
 *
 * <p>A build replays the seeds: the golden requests, the bodies in {@link #KNOWN} that once failed, and compressed
 * bodies below and above the limits. CONTRIBUTING.md describes how to search for new inputs.
 */
class BodiesFuzzTest {

    private static final HttpLimits LIMITS = Requests.limits(1 << 16, 100, 1 << 14);
    private static final Bodies BODIES = Requests.bodies(LIMITS);

    private static final String[] CLOUD_EVENT_HEADERS = {
        "ce-specversion: 1.0", "ce-id: 1", "ce-source: /s", "ce-type: t"
    };

    /** Bodies of which a parser was once not sure. */
    private static final List<String> KNOWN = List.of("1\n2\n", "1 ", "\"\\ud800\"", "[1,\n2]", "\uFEFF1");

    static Stream<Arguments> seeds() throws IOException {
        List<byte[]> bodies = new ArrayList<>();
        GoldenRequest.all().forEach(request -> bodies.add(request.body()));
        KNOWN.forEach(body -> bodies.add(body.getBytes(StandardCharsets.UTF_8)));
        for (int bytes : new int[] {1_000, LIMITS.recordBytes(), LIMITS.requestBytes() + 1}) {
            bodies.add(PlainBodyTest.gzip(new byte[bytes]));
        }
        return bodies.stream().map(body -> arguments((Object) body));
    }

    @MethodSource("seeds")
    @FuzzTest(maxDuration = "2m")
    void returnsEventsOrRefuses(byte[] body) throws IOException {
        for (HttpEvent event : parse(body, "/topics/orders", Requests.JSON)) {
            checkJson(event.value(), body);
            checkJson(event.key(), body);
        }
        for (HttpEvent event : parse(body, "/events/orders", Requests.LINES)) {
            checkJson(event.value(), body);
        }
        for (MediaType type : List.of(MediaType.CLOUD_EVENT, MediaType.CLOUD_EVENTS)) {
            for (HttpEvent event : parse(body, "/events/orders", "Content-Type: " + type.text())) {
                checkPart(event.value(), body);
            }
        }
        assertThat(parse(body, "/topics/orders/partitions/5", Requests.BINARY))
                .allSatisfy(event -> assertThat(event.partition()).isEqualTo(5));
        for (HttpEvent event : parse(body, "/topics/notes", Requests.TEXT)) {
            checkText(event.value());
            checkText(event.key());
        }
        for (HttpEvent event : parse(body, "/events/orders", "Content-Encoding: gzip")) {
            assertThat(event.value()).isEqualTo(unzipped(body)).hasSizeLessThan(LIMITS.recordBytes());
            // The JDK's stream, which says what is inside, ignores what is behind.
            byte[] longer = Arrays.copyOf(body, body.length + 1);
            assertThat(parse(longer, "/events/orders", "Content-Encoding: gzip"))
                    .isEmpty();
        }
        assertThat(parse(body, "/events/orders", CLOUD_EVENT_HEADERS))
                .allSatisfy(event -> assertThat(event.value()).isEqualTo(body));
    }

    private static List<HttpEvent> parse(byte[] body, String target, String... headers) {
        List<HttpEvent> events;
        try {
            events = Requests.parse(BODIES, body, target, headers);
        } catch (Refusal e) {
            assertThat(e.status()).isIn(400, 413, 422);
            return new ArrayList<>();
        }
        assertThat(events).isNotEmpty().hasSizeLessThanOrEqualTo(LIMITS.requestRecords());
        return events;
    }

    private static void checkJson(byte[] value, byte[] body) {
        if (value == null) {
            return;
        }
        checkPart(value, body);
        // A value may have line ends inside, and a line has none.
        for (byte each : value) {
            if (each == '\n') {
                return;
            }
        }
        List<HttpEvent> again = parse(value, "/events/orders", Requests.LINES);
        assertThat(again)
                .singleElement()
                .satisfies(event -> assertThat(event.value()).isEqualTo(value));
    }

    /** Text is written in UTF-8. */
    private static void checkText(byte[] text) {
        if (text != null) {
            byte[] again = new String(text, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8);
            assertThat(again).isEqualTo(text);
        }
    }

    private static byte[] unzipped(byte[] body) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
            return in.readAllBytes();
        }
    }

    private static void checkPart(byte[] value, byte[] body) {
        for (int start = 0; start + value.length <= body.length; start++) {
            if (Arrays.equals(value, 0, value.length, body, start, start + value.length)) {
                return;
            }
        }
        throw new AssertionError("The value is no part of the body");
    }
}
