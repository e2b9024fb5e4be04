package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.common.RecordSize;
import io.microbatch.connect.config.MicrobatchConfig;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A request takes at most half of a stripe, as the stripe counts it. */
class RequestSizeTest {

    private static final int HALF = 65_536;

    private final Bodies bodies = new Bodies(
            new MicrobatchConfig(Map.of(
                            "upstream.type",
                            "http",
                            "upstream.http.topics",
                            "orders",
                            "upstream.http.max.request.bytes",
                            "32768",
                            "upstream.http.max.request.records",
                            "10000",
                            "stripe.max.bytes",
                            Integer.toString(2 * HALF)))
                    .http(),
            System::currentTimeMillis);

    @ParameterizedTest
    @CsvSource({"/events/orders, X-A: 1", "/events/orders?key=4711, X-A: 1", "/events/orders?key=k, traceparent: 1234"})
    void refusesWhatTakesMoreThanHalfOfAStripe(String target, String header) throws Refusal {
        HttpEvent one = parse(1, target, header).get(0);
        PendingRequest request = new PendingRequest("orders", List.of(one), null, null, null);
        int estimate = RecordSize.estimateBytes(new HttpRecord(request, 0, one, Map.of(), Map.of()));
        int most = HALF / estimate;
        assertThat(parse(most, target, header)).hasSize(most);
        assertThatThrownBy(() -> parse(most + 1, target, header)).isInstanceOfSatisfying(Refusal.class, refusal -> {
            assertThat(refusal.status()).isEqualTo(413);
            assertThat(refusal).hasMessageContaining(Integer.toString(HALF));
        });
    }

    private List<HttpEvent> parse(int records, String target, String header) throws Refusal {
        byte[] body = "7\n".repeat(records).getBytes(StandardCharsets.UTF_8);
        return Requests.parse(bodies, body, target, Requests.LINES, header);
    }
}
