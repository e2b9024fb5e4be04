package io.microbatch.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.load.Delivery;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HttpContenderTest {

    @Test
    void rivalsDifferInWhatTheirNamesSay() {
        assertThat(change(HttpContender.SERVLET, HttpContender.SERVLET_L5)).isEqualTo(Map.of("linger.ms", "5"));
        assertThat(change(HttpContender.SERVLET_TX, HttpContender.SERVLET_TX_GROUP))
                .isEqualTo(Map.of("server.sending", "groups"));
        assertThat(change(HttpContender.SERVLET_TX_GROUP_L5, HttpContender.SERVLET_TX_GROUP_W10))
                .isEqualTo(Map.of("server.gather.ms", "10"));
        assertThat(change(HttpContender.SERVLET_L5, HttpContender.ASYNC_L5))
                .isEqualTo(Map.of("server.waiting", "false"));
        assertThat(change(HttpContender.SERVLET_TX_GROUP_W5, HttpContender.ASYNC_TX_GROUP_W5))
                .isEqualTo(Map.of("server.waiting", "false"));
        assertThat(change(HttpContender.ASYNC_TX_GROUP_W5, HttpContender.ASYNC_TX_GROUP_W5_P2))
                .isEqualTo(Map.of("server.producers", "2"));
    }

    /** Otherwise the difference is one of the producer. */
    @Test
    void rivalsHaveTheProducerOfTheConnector() {
        HttpContender.HTTP_EOS.settings().forEach((key, value) -> {
            if (key.startsWith("producer.override.")) {
                assertThat(HttpContender.ASYNC.settings())
                        .containsEntry(key.substring("producer.override.".length()), value);
            }
        });
    }

    @Test
    void onlyTransactionsAreExactlyOnce() {
        assertThat(HttpContender.ASYNC.delivery()).isEqualTo(Delivery.AT_LEAST_ONCE);
        assertThat(HttpContender.SERVLET_TX.delivery()).isEqualTo(Delivery.EXACTLY_ONCE);
        assertThat(HttpContender.ASYNC_TX_GROUP.delivery()).isEqualTo(Delivery.EXACTLY_ONCE);
    }

    /** The settings of the second one that the first one has otherwise. */
    private static Map<String, String> change(HttpContender from, HttpContender to) {
        Map<String, String> changed = new HashMap<>(to.settings());
        changed.entrySet().removeAll(from.settings().entrySet());
        return changed;
    }

    /** Otherwise a worker with two contenders is warm for twice as long as a server. */
    @Test
    void sharesItsProcessWithThisConnectorsOtherContendersOfTheSameMode() {
        List<HttpContender> usual = HttpContender.USUAL;
        assertThat(HttpContender.HTTP_EOS.sharing(usual)).isEqualTo(2);
        assertThat(HttpContender.HTTP_ALO_LATENCY.sharing(usual)).isEqualTo(2);
        assertThat(HttpContender.SERVLET.sharing(usual)).isEqualTo(1);
        assertThat(HttpContender.SERVLET_TX.sharing(usual)).isEqualTo(1);
        assertThat(HttpContender.HTTP_EOS.sharing(List.of(HttpContender.HTTP_EOS, HttpContender.SERVLET)))
                .isEqualTo(1);
    }
}
