package io.microbatch.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.control.ControlSettings;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TaskWiringTest {

    private static final Map<String, String> HOSTED =
            Map.of("upstream.type", "connector", "upstream.connector.class", "org.example.Source");
    private static final Map<String, String> GENERATED =
            Map.of("upstream.type", "synthetic", "upstream.synthetic.topic", "t");

    private static ControlSettings settings(Map<String, String> config, String mode) {
        Map<String, String> complete = new HashMap<>(config);
        complete.put("batch.mode", mode);
        return TaskWiring.settings(new MicrobatchConfig(complete), 21_845);
    }

    @Test
    void beginsWithASmallBatchTargetForHostedConnectors() {
        assertThat(settings(HOSTED, "adaptive").firstEvents()).isEqualTo(2_000);
        assertThat(settings(GENERATED, "adaptive").firstEvents()).isEqualTo(50_000);
    }

    @Test
    void limitsNToTheBufferUnlessTheOperatorFixesN() {
        assertThat(settings(HOSTED, "adaptive").maxEvents()).isEqualTo(21_845);
        assertThat(settings(HOSTED, "fixed").maxEvents()).isEqualTo(50_000);
    }
}
