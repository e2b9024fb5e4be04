package io.microbatch.connect.upstream.http;

import static io.microbatch.connect.upstream.http.Refusals.assertRefused;
import static io.microbatch.connect.upstream.http.Requests.headers;
import static io.microbatch.connect.upstream.http.Requests.one;
import static io.microbatch.connect.upstream.http.Requests.parse;
import static io.microbatch.connect.upstream.http.Requests.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CloudEventBodyTest {

    private static final String ORDERS = "/events/orders";
    private static final String ONE = "Content-Type: application/cloudevents+json; charset=UTF-8";
    private static final String BATCH = "Content-Type: application/cloudevents-batch+json";
    private static final String NEEDED = "\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"t\"";
    private static final String[] HEADERS = {"ce-specversion: 1.0", "ce-id: 1", "ce-source: /s", "CE-Type: t"};

    @Test
    void takesAStructuredEventAsItWasSent() throws Refusal {
        String body = "{ \"data\" : {\"x\":[1 , 2]}, " + NEEDED
                + ",\"partitionkey\":\"kü\",\"n\":-1,\"flag\":false,\"unset\":null}";
        HttpEvent event = one(" " + body + "\n", ORDERS + "?key=other", ONE, "Traceparent: 00-1");
        assertThat(text(event.value())).isEqualTo(body);
        assertThat(text(event.key())).isEqualTo("kü");
        assertThat(headers(event))
                .containsExactly(
                        "content-type=application/cloudevents+json; charset=UTF-8",
                        "ce_specversion=1.0",
                        "ce_id=1",
                        "ce_source=/s",
                        "ce_type=t",
                        "ce_partitionkey=kü",
                        "ce_n=-1",
                        "ce_flag=false",
                        "traceparent=00-1");
    }

    @Test
    void takesEachEventOfABatchAsItWasSent() throws Refusal {
        String first = "{" + NEEDED + ",\"data_base64\":\"AA==\"}";
        String second = "{" + NEEDED + ", \"partitionkey\":\"k\" }";
        List<HttpEvent> events = parse("[" + first + " ,\n" + second + "]", ORDERS + "?key=q", BATCH);
        assertThat(events).extracting(event -> text(event.value())).containsExactly(first, second);
        assertThat(events).extracting(event -> text(event.key())).containsExactly("q", "k");
        assertThat(headers(events.get(1)))
                .contains("content-type=application/cloudevents+json", "ce_partitionkey=k", "ce_id=1");
    }

    @Test
    void takesABinaryEventOfHeadersAndBody() throws Refusal {
        HttpEvent event = one(
                "{not JSON}",
                ORDERS,
                HEADERS[0],
                HEADERS[1],
                HEADERS[2],
                HEADERS[3],
                "Content-Type: application/json",
                "ce-partitionkey: k%C3%BC",
                "ce-subject: \"a \\\"b\\\" \\\\ c\"");
        assertThat(text(event.value())).isEqualTo("{not JSON}");
        assertThat(text(event.key())).isEqualTo("kü");
        assertThat(headers(event))
                .containsExactly(
                        "content-type=application/json",
                        "ce_specversion=1.0",
                        "ce_id=1",
                        "ce_source=/s",
                        "ce_type=t",
                        "ce_partitionkey=kü",
                        "ce_subject=a \"b\" \\ c");
    }

    @Test
    void takesLinesWithEventHeadersForData() throws Refusal {
        HttpEvent event = one("1\n2\n", ORDERS, HEADERS[0], HEADERS[1], HEADERS[2], HEADERS[3], Requests.LINES);
        assertThat(text(event.value())).isEqualTo("1\n2\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\":\"1\",\"source\":\"/s\",\"type\":\"t\"}",
                "{\"specversion\":\"1.0\",\"source\":\"/s\",\"type\":\"t\"}",
                "{\"specversion\":\"1.0\",\"id\":\"1\",\"type\":\"t\"}",
                "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\"}",
                "{\"specversion\":\"0.3\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"t\"}",
                "{\"specversion\":\"1.0\",\"id\":\"\",\"source\":\"/s\",\"type\":\"t\"}",
                "{\"specversion\":\"1.0\",\"id\":null,\"source\":\"/s\",\"type\":\"t\"}",
                "{" + NEEDED + ",\"id\":\"1\"}",
                "{" + NEEDED + ",\"Upper\":\"1\"}",
                "{" + NEEDED + ",\"a-b\":\"1\"}",
                "{" + NEEDED + ",\"ü\":\"1\"}",
                "{" + NEEDED + ",\"\":\"1\"}",
                "{" + NEEDED + ",\"a\":1.5}",
                "{" + NEEDED + ",\"a\":{}}",
                "{" + NEEDED + ",\"a\":[]}",
                "{" + NEEDED + ",\"a\":\"\\ud800\"}",
                "{" + NEEDED + ",\"data\":1,\"data_base64\":\"\"}",
                "{" + NEEDED + ",\"data\":1,\"data\":1}",
                "{}"
            })
    void refusesInvalidEvents(String event) {
        assertRefused(422, 42206, () -> parse(event, ORDERS, ONE));
        assertRefused(422, 42206, () -> parse("[{" + NEEDED + "}," + event + "]", ORDERS, BATCH));
    }

    @Test
    void refusesTooManyAttributes() {
        StringBuilder event = new StringBuilder("{" + NEEDED);
        for (int i = 0; i <= HeaderNames.MAX_COUNT; i++) {
            event.append(",\"a").append(i).append("\":1");
        }
        assertRefused(422, 42206, () -> parse(event + "}", ORDERS, ONE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "[]", "null", "\"a\""})
    void refusesOtherJson(String body) {
        assertRefused(422, 42203, () -> parse(body, ORDERS, ONE));
        assertRefused(422, 42203, () -> parse("{}", ORDERS, BATCH));
        assertRefused(422, 42203, () -> parse("[" + body + "]", ORDERS, BATCH));
    }

    @Test
    void refusesAnEmptyBatchAndWhatFollowsAnEvent() {
        assertRefused(422, 42206, () -> parse("[]", ORDERS, BATCH));
        assertRefused(400, 400, () -> parse("{" + NEEDED + "} {}", ORDERS, ONE));
        assertRefused(400, 400, () -> parse("[{" + NEEDED + "}]]", ORDERS, BATCH));
        assertRefused(400, 400, () -> parse("{" + NEEDED, ORDERS, ONE));
    }

    @Test
    void refusesInvalidEventHeaders() {
        assertRefused(422, 42206, () -> one("", ORDERS, "ce-id: 1"));
        assertRefused(422, 42206, () -> binary("ce-id: 2"));
        assertRefused(422, 42206, () -> binary("ce-a_b: 2"));
        assertRefused(422, 42206, () -> binary("ce-: 2"));
        assertRefused(400, 400, () -> binary("ce-a: %C3"));
        assertRefused(400, 400, () -> binary("ce-a: \u00fc"));
        assertRefused(400, 400, () -> binary("ce-a: %4"));
    }

    private static HttpEvent binary(String another) throws Refusal {
        return one("", ORDERS, HEADERS[0], HEADERS[1], HEADERS[2], HEADERS[3], another);
    }
}
