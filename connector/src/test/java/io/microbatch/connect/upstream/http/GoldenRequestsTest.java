package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GoldenRequestsTest {

    static List<String> names() {
        return GoldenRequest.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void becomeTheSameEvents(String name) throws Refusal {
        GoldenRequest request = GoldenRequest.of(name);
        List<HttpEvent> events = Requests.parse(Requests.bodies(), request.body(), request.target(), request.headers());
        assertThat(events.stream().map(Requests::rendered).collect(Collectors.joining("\n")))
                .isEqualTo(request.events());
    }
}
