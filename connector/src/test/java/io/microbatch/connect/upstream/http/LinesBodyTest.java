package io.microbatch.connect.upstream.http;

import static io.microbatch.connect.upstream.http.Refusals.assertRefused;
import static io.microbatch.connect.upstream.http.Requests.LINES;
import static io.microbatch.connect.upstream.http.Requests.parse;
import static io.microbatch.connect.upstream.http.Requests.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinesBodyTest {

    private static final String ORDERS = "/events/orders";

    @Test
    void makesAnEventOfEachLine() throws Refusal {
        List<HttpEvent> events = parse("\n{\"a\" : [1, 2]}\r\n\n \t\n\"ü\"\n  17  \n-1e3\nnull\ntrue", ORDERS, LINES);
        assertThat(events)
                .extracting(event -> text(event.value()))
                .containsExactly("{\"a\" : [1, 2]}", "\"ü\"", "17", "-1e3", "null", "true");
        assertThat(events).allSatisfy(event -> {
            assertThat(event.key()).isNull();
            assertThat(event.headers()).isEmpty();
            assertThat(event.partition()).isNull();
            assertThat(event.timestampMs()).isNull();
        });
    }

    @Test
    void givesEachLineTheKeyAndTheHeadersOfTheRequest() throws Refusal {
        List<HttpEvent> events = parse("1\n2\n", ORDERS + "?key=k", LINES, "Traceparent: 00-1", "X-Other: 1");
        assertThat(events).hasSize(2).allSatisfy(event -> {
            assertThat(text(event.key())).isEqualTo("k");
            assertThat(Requests.headers(event)).containsExactly("traceparent=00-1");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1} {\"a\":2}",
                "1 2",
                "\"a\"\"b\"",
                "{\"a\":1}{\"a\":2}",
                "1\n2 3\n",
                "{\n\"a\":1}",
                "[1,\n2]",
                "{\"a\":1",
                "1\nx\n",
                "\"a\nb\"",
                "1,2",
                "1\n]\n"
            })
    void refusesOtherLines(String body) {
        assertRefused(400, 400, () -> parse(body, ORDERS, LINES));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", " \r\n\t\n"})
    void refusesABodyWithoutEvents(String body) {
        assertRefused(422, 42206, () -> parse(body, ORDERS, LINES));
    }
}
