package io.microbatch.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HttpContenderTest {

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
