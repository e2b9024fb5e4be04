package io.microbatch.connect.upstream.http;

import static io.microbatch.connect.upstream.http.Refusals.assertRefused;
import static io.microbatch.connect.upstream.http.Requests.BINARY;
import static io.microbatch.connect.upstream.http.Requests.JSON;
import static io.microbatch.connect.upstream.http.Requests.NOW_MS;
import static io.microbatch.connect.upstream.http.Requests.TEXT;
import static io.microbatch.connect.upstream.http.Requests.headers;
import static io.microbatch.connect.upstream.http.Requests.one;
import static io.microbatch.connect.upstream.http.Requests.parse;
import static io.microbatch.connect.upstream.http.Requests.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RestBodyTest {

    private static final String ORDERS = "/topics/orders";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"b\":  1 ,\"a\" : [ 1.50, 2e3,\ttrue ] , \"b\":2 }",
                "[\r\n]",
                "\"ü\\u00fc\\ud800 \\\"\"",
                "\"\"",
                "0",
                "-0.0e+00",
                "12345678901234567890123456789",
                "true",
                "false",
                "{}",
                "\"😀\""
            })
    void takesJsonAsItWasSent(String value) throws Refusal {
        for (String space : List.of("", " ", "\n\t")) {
            String body = "\n{\"records\":[{\"key\":" + space + value + space + ",\"value\":" + space + value + space
                    + "}, {\"value\":" + value + ",\"key\":null}]}";
            List<HttpEvent> events = parse(body, ORDERS, JSON);
            assertThat(events).hasSize(2);
            assertThat(text(events.get(0).key())).isEqualTo(value);
            assertThat(text(events.get(0).value())).isEqualTo(value);
            assertThat(text(events.get(1).value())).isEqualTo(value);
            assertThat(events.get(1).key()).isNull();
        }
    }

    @Test
    void knowsThePlacesBehindAByteOrderMark() throws Refusal {
        assertThat(text(one("\uFEFF{\"records\":[{\"value\":\"ü\"}]}", ORDERS, JSON)
                        .value()))
                .isEqualTo("\"ü\"");
    }

    @Test
    void knowsThePlacesInALargeBody() throws Refusal {
        StringBuilder body = new StringBuilder("{\"records\":[");
        for (int i = 0; i < 1_000; i++) {
            body.append(i == 0 ? "" : ",")
                    .append("{\"value\":{\"n\":")
                    .append(i)
                    .append(",\"s\":\"é".repeat(1));
            body.append("x".repeat(i % 97)).append("\"}}");
        }
        List<HttpEvent> events = parse(body.append("]}").toString(), ORDERS, JSON);
        assertThat(events).hasSize(1_000);
        for (int i = 0; i < 1_000; i++) {
            assertThat(text(events.get(i).value()))
                    .isEqualTo("{\"n\":" + i + ",\"s\":\"é" + "x".repeat(i % 97) + "\"}");
        }
    }

    @Test
    void decodesBase64() throws Refusal {
        HttpEvent event = one("{\"records\":[{\"key\":\"AP8=\",\"value\":\"\"}]}", ORDERS, BINARY);
        assertThat(event.key()).containsExactly(0, 255);
        assertThat(event.value()).isEmpty();
    }

    @Test
    void takesTextsAsUtf8() throws Refusal {
        HttpEvent event = one("{\"records\":[{\"key\":\"k\\u00fc\",\"value\":\"😀\\n\"}]}", ORDERS, TEXT);
        assertThat(text(event.key())).isEqualTo("kü");
        assertThat(text(event.value())).isEqualTo("😀\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {JSON, BINARY, TEXT})
    void takesNullForATombstone(String format) throws Refusal {
        assertThat(one("{\"records\":[{\"key\":null,\"value\":null}]}", ORDERS, format)
                        .value())
                .isNull();
        // REST Proxy and the bridge take a missing value for null.
        assertThat(one("{\"records\":[{\"key\":\"aaaa\"}]}", ORDERS, format).value())
                .isNull();
    }

    @Test
    void takesPartitionsAndHeaders() throws Refusal {
        HttpEvent event = one(
                "{\"records\":[{\"headers\":[{\"key\":\"a\",\"value\":\"Yg==\"},{\"value\":null,\"key\":\"a\"}],"
                        + "\"partition\":5,\"value\":1,\"timestamp\":null}]}",
                ORDERS,
                JSON);
        assertThat(event.partition()).isEqualTo(5);
        assertThat(headers(event)).containsExactly("a=b", "a=null");
        assertThat(one("{\"records\":[{\"partition\":null,\"headers\":null,\"value\":1}]}", "/topics/notes", JSON)
                        .partition())
                .isNull();
        assertThat(one("{\"records\":[{\"value\":1}]}", "/topics/orders/partitions/4", JSON)
                        .partition())
                .isEqualTo(4);
    }

    @Test
    void ignoresOtherFieldsOfTheBody() throws Refusal {
        HttpEvent event = one(
                "{\"value_schema\":\"{}\",\"x\":[{\"records\":[]}],\"records\":[{\"value\":1}],\"key_schema_id\":null}",
                ORDERS,
                JSON);
        assertThat(text(event.value())).isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "{\"records\":[{\"value\":1}]",
                "{\"records\":[{\"value\":1}]}}",
                "{\"records\":[{\"value\":1}]} {}",
                "{\"records\":[{\"value\":1},]}",
                "{\"records\":[{\"value\":01}]}",
                "{\"records\":[{\"value\":NaN}]}",
                "{\"records\":[{\"value\":'a'}]}",
                "{\"records\":[{\"value\":\"\n\"}]}",
                "{\"records\":[{value:1}]}",
                "{\"records\":[{\"value\":1}],\"x\":tru}",
                "{\"records\":[{\"value\":1 /* no */}]}",
                "secret"
            })
    void refusesWhatIsNoJson(String body) {
        int status = body.isBlank() ? 422 : 400;
        Refusal refusal = assertRefused(status, body.isBlank() ? 42203 : 400, () -> parse(body, ORDERS, JSON));
        assertThat(refusal).hasMessageNotContaining("secret").hasMessageNotContaining("tru");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "1", "null", "{}", "{\"records\":{}}", "{\"records\":null}", "{\"record\":[]}"})
    void refusesOtherJson(String body) {
        assertRefused(422, 42203, () -> parse(body, ORDERS, JSON));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "null",
                "[]",
                "{}",
                "{\"partition\":1}",
                "{\"vaule\":1}",
                "{\"value\":1,\"extra\":1}",
                "{\"value\":1,\"value\":1}",
                "{\"key\":1,\"value\":1,\"key\":1}",
                "{\"value\":1,\"partition\":1,\"partition\":1}",
                "{\"value\":1,\"headers\":[],\"headers\":[]}",
                "{\"value\":1,\"partition\":\"1\"}",
                "{\"value\":1,\"partition\":1.0}",
                "{\"value\":1,\"partition\":[]}",
                "{\"value\":1,\"timestamp\":1}",
                "{\"value\":1,\"headers\":{}}",
                "{\"value\":1,\"headers\":[1]}",
                "{\"value\":1,\"headers\":[{}]}",
                "{\"value\":1,\"headers\":[{\"key\":\"a\"}]}",
                "{\"value\":1,\"headers\":[{\"value\":\"\"}]}",
                "{\"value\":1,\"headers\":[{\"key\":1,\"value\":\"\"}]}",
                "{\"value\":1,\"headers\":[{\"key\":null,\"value\":\"\"}]}",
                "{\"value\":1,\"headers\":[{\"key\":\"a\",\"value\":1}]}",
                "{\"value\":1,\"headers\":[{\"key\":\"a\",\"value\":\"!\"}]}",
                "{\"value\":1,\"headers\":[{\"key\":\"\",\"value\":\"\"}]}",
                "{\"value\":1,\"headers\":[{\"key\":\"a\",\"key\":\"b\",\"value\":\"\"}]}",
                "{\"value\":1,\"headers\":[{\"key\":\"a\",\"value\":null,\"value\":\"\"}]}",
                "{\"value\":1,\"headers\":[{\"key\":\"a\",\"value\":\"\",\"x\":1}]}",
                "{\"value\":1,\"headers\":[{\"key\":\"__connect.errors.topic\",\"value\":\"\"}]}",
                "{\"value\":1,\"headers\":[{\"key\":\"__Connect.x\",\"value\":\"\"}]}",
                "{\"value\":1,\"headers\":[{\"key\":\"microbatch.level\",\"value\":\"\"}]}",
                "{\"value\":1,\"headers\":[{\"key\":\"\\ud800\",\"value\":\"\"}]}"
            })
    void refusesInvalidRecords(String record) {
        Refusal refusal = assertRefused(422, 42206, () -> parse("{\"records\":[" + record + "]}", ORDERS, JSON));
        assertThat(refusal).hasMessageNotContaining("vaule").hasMessageNotContaining("errors.topic");
    }

    @Test
    void refusesASecondArrayOfRecords() {
        assertRefused(422, 42206, () -> parse("{\"records\":[{\"value\":1}],\"records\":[]}", ORDERS, JSON));
    }

    @ParameterizedTest
    @CsvSource({"1", "true", "{}", "[]", "1.5"})
    void refusesWhatIsNoString(String value) {
        for (String format : List.of(BINARY, TEXT)) {
            assertRefused(422, 42206, () -> parse("{\"records\":[{\"value\":" + value + "}]}", ORDERS, format));
            assertRefused(422, 42206, () -> parse("{\"records\":[{\"key\":" + value + "}]}", ORDERS, format));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "!!!!", "AP8=AP8=", "AP 8=", "AP8_", "AP8=\\n"})
    void refusesWhatIsNotBase64(String value) {
        assertRefused(422, 42206, () -> parse("{\"records\":[{\"value\":\"" + value + "\"}]}", ORDERS, BINARY));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\ud800", "\\udc00", "\\ud83dx", "\\ude00\\ud83d"})
    void refusesTextsThatUtf8CannotExpress(String value) {
        assertRefused(422, 42206, () -> parse("{\"records\":[{\"value\":\"" + value + "\"}]}", ORDERS, TEXT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "6", "2147483648", "4294967296", "9223372036854775808", "-9223372036854775809"})
    void refusesPartitionsOutsideTheTopic(String partition) {
        assertRefused(
                422, 42220, () -> parse("{\"records\":[{\"value\":1,\"partition\":" + partition + "}]}", ORDERS, JSON));
    }

    @Test
    void refusesAPartitionWhereClientsMayNotChoose() {
        assertRefused(422, 42220, () -> parse("{\"records\":[{\"value\":1,\"partition\":0}]}", "/topics/notes", JSON));
        assertRefused(422, 42220, () -> parse("{\"records\":[{\"value\":1}]}", "/topics/notes/partitions/0", JSON));
        assertRefused(422, 42220, () -> parse("{\"records\":[{\"value\":1}]}", "/topics/orders/partitions/6", JSON));
        assertRefused(
                422,
                42220,
                () -> parse("{\"records\":[{\"value\":1,\"partition\":1}]}", "/topics/orders/partitions/1", JSON));
    }

    @ParameterizedTest
    @CsvSource({"0", "1800000000000", "1800001800000"})
    void takesTimestampsIfAllowed(long timestampMs) throws Refusal {
        assertThat(withTimestamp(Long.toString(timestampMs))).isEqualTo(timestampMs);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.5", "\"1\"", "1800001800001", "9223372036854775807", "9223372036854775808"})
    void refusesOtherTimestamps(String timestamp) {
        assertRefused(422, 42206, () -> withTimestamp(timestamp));
    }

    private static Long withTimestamp(String timestamp) throws Refusal {
        assertThat(NOW_MS + RestBody.MAX_AHEAD_MS).isEqualTo(1_800_001_800_000L);
        String body = "{\"records\":[{\"value\":1,\"timestamp\":" + timestamp + "}]}";
        return parse(Requests.bodiesWithTimestamps(), body.getBytes(StandardCharsets.UTF_8), ORDERS, JSON)
                .get(0)
                .timestampMs();
    }
}
