package io.microbatch.bench.hosting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SideTest {

    private static final Map<String, String> OWN = Map.of("class", "a.Connector", "topic", "t");
    private static final Map<String, String> AROUND = Map.of("tasks.max", "3");

    @Test
    void runsTheConnectorItselfIfPlain() {
        assertThat(Side.PLAIN.configuration(OWN, AROUND))
                .isEqualTo(Map.of("connector.class", "a.Connector", "topic", "t", "tasks.max", "3"));
    }

    @Test
    void prefixesWhatIsTheConnectorsIfHosted() {
        assertThat(Side.HOSTED.configuration(OWN, AROUND))
                .isEqualTo(Map.of(
                        "connector.class",
                        "io.microbatch.connect.MicrobatchSourceConnector",
                        "upstream.connector.class",
                        "a.Connector",
                        "upstream.connector.topic",
                        "t",
                        "tasks.max",
                        "3"));
    }
}
