package io.microbatch.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HttpContenderTest {

    @Test
    void aServerWithALingerDiffersInNothingElse() {
        Map<String, String> expected = new HashMap<>(HttpContender.SERVLET.settings());
        expected.put("linger.ms", "5");
        assertThat(HttpContender.SERVLET_L5.settings()).isEqualTo(expected);
        assertThat(HttpContender.SERVLET_TX_GROUP.settings()).isEqualTo(HttpContender.SERVLET_TX.settings());
        assertThat(HttpContender.SERVLET_TX_GROUP_L5.settings()).isEqualTo(expected);
    }

    /** The connector keeps a distance between its transactions, too. */
    @Test
    void aServerThatGathersDiffersInNothingElse() {
        assertThat(HttpContender.SERVLET_TX_GROUP_W5.settings())
                .isEqualTo(HttpContender.SERVLET_TX_GROUP_L5.settings());
        assertThat(HttpContender.SERVLET_TX_GROUP_W5.sending()).isEqualTo("groups-after-5");
        assertThat(HttpContender.SERVLET_TX_GROUP_W10.sending()).isEqualTo("groups-after-10");
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
