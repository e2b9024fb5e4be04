package io.microbatch.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LoadSpecTest {

    private static LoadSpec spec(Map<String, String> own) {
        return LoadSpec.steady("c", "t", Delivery.EXACTLY_ONCE, 50, 1, 2, own);
    }

    @Test
    void everyRunOfSecondsLearnsInShortWindowsUnlessItHasItsOwn() {
        assertThat(spec(Settings.adaptive()).connectorConfig("d")).containsEntry("pressure.window.ms", "2000");
        assertThat(spec(Map.of("pressure.window.ms", "1000")).connectorConfig("d"))
                .containsEntry("pressure.window.ms", "1000");
    }

    @Test
    void aHostedSourceMakesTheEventsItself() {
        LoadSpec spec = spec(Settings.hosted(Settings.baseline(1)));
        assertThat(spec.isStock()).isFalse();
        assertThat(spec.connectorConfig("d"))
                .containsEntry("connector.class", Settings.MICROBATCH)
                .containsEntry("upstream.connector.class", "io.microbatch.bench.baseline.BaselineConnector")
                .containsEntry("upstream.connector.baseline.poll.events", "1")
                .containsEntry("upstream.connector.upstream.synthetic.topic", "t")
                .doesNotContainKey("upstream.synthetic.topic");
        assertThat(spec.settings())
                .containsEntry("upstream.connector.upstream.synthetic.size.bytes", "100")
                .doesNotContainKey("upstream.connector.upstream.synthetic.topic");
    }

    @Test
    void aResultHasTheWholeConfigurationWithoutWhatDiffersFromRunToRun() {
        LoadSpec spec = spec(Settings.adaptive());
        Map<String, String> settings = spec.settings();
        assertThat(settings)
                .containsEntry("batch.mode", "adaptive")
                .containsEntry("pressure.window.ms", "2000")
                .containsEntry("upstream.synthetic.size.bytes", "100");
        assertThat(settings.keySet())
                .isSubsetOf(spec.connectorConfig("d").keySet())
                .doesNotContain(
                        "upstream.synthetic.topic",
                        "upstream.synthetic.rate",
                        "upstream.synthetic.events.per.partition",
                        "calibration.directory");
    }
}
