package io.microbatch.connect.upstream.http;

import static io.microbatch.connect.upstream.http.Refusals.assertRefused;
import static io.microbatch.connect.upstream.http.RequestPath.Kind;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestPathTest {

    @ParameterizedTest
    @CsvSource({
        "/, ROOT, GET",
        "http://host:8090, ROOT, GET",
        "http://host?a=/b, ROOT, GET",
        "/health/live, LIVE, GET",
        "/healthy, LIVE, GET",
        "/health/ready?verbose, READY, GET",
        "/ready, READY, GET",
        "/topics/orders, RECORDS, POST",
        "/topics/orders/partitions/3, RECORDS, POST",
        "/events/orders, EVENTS, POST",
        "http://host:8090/events/orders, EVENTS, POST"
    })
    void knowsTheEndpoints(String target, Kind kind, String method) throws Refusal {
        assertThat(RequestPath.parse(target).kind()).isEqualTo(kind);
        assertThat(kind.method()).isEqualTo(method);
    }

    @Test
    void readsTopicPartitionAndKey() throws Refusal {
        RequestPath path = RequestPath.parse("/topics/or%64ers/partitions/2147483647?x=1&key=a%20b+%c3%BC&async=true");
        assertThat(path.topic()).isEqualTo("orders");
        assertThat(path.partition()).isEqualTo(Integer.MAX_VALUE);
        assertThat(Requests.text(path.key())).isEqualTo("a b ü");
        assertThat(RequestPath.parse("/events/orders").key()).isNull();
        assertThat(RequestPath.parse("/events/orders?key=").key()).isEmpty();
        assertThat(RequestPath.parse("/events/a+b").topic()).isEqualTo("a+b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*",
                "orders",
                "//",
                "/topics",
                "/events",
                "/topics/orders/",
                "/topics/orders/partitions",
                "/topics/orders/partition/1",
                "/events/orders/partitions/1",
                "/topics/../orders/x",
                "/x/topics/orders",
                "/health",
                "/health/live/",
                "/metrics",
                "x/topics/orders"
            })
    void refusesOtherPaths(String target) {
        assertRefused(404, 40401, () -> RequestPath.parse(target));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "+1", "2147483648", "99999999999999999999", "x", "", "1.0", "%31", "0x1", "１"})
    void refusesWhatIsNoPartition(String partition) {
        assertRefused(422, 42220, () -> RequestPath.parse("/topics/orders/partitions/" + partition));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/events/%",
                "/events/%4",
                "/events/%4g",
                "/events/%-1",
                "/events/o?key=%",
                "/events/o?key=%+1",
                "/events/o?key=%ü1",
                "/events/o?key=a&key=a"
            })
    void refusesBadEncodingAndTwoKeys(String target) {
        assertRefused(400, 400, () -> RequestPath.parse(target));
    }
}
