package io.microbatch.bench.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ConnectorConfigTest {

    private static final ConnectorConfig EXAMPLE = new ConnectorConfig(
            "cdc",
            Map.of(
                    "connector.class", "ours",
                    "latency.target.ms", "100",
                    "upstream.type", "connector",
                    "upstream.connector.class", "theirs",
                    "upstream.connector.topic.prefix", "shop",
                    "upstream.connector.poll.interval.ms", "5",
                    "value.converter.schemas.enable", "false"));

    @Test
    void leavesTheHostedConnectorAtItsDefaultsWhenItRunsByItself() {
        assertThat(EXAMPLE.plain().config())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "connector.class", "theirs",
                        "tasks.max", "1",
                        "topic.prefix", "shop",
                        "value.converter.schemas.enable", "false"));
    }

    @Test
    void namesTheSameTopicForBoth() {
        assertThat(EXAMPLE.topic()).isEqualTo("shop.public.events");
        assertThat(EXAMPLE.plain().topic()).isEqualTo("shop.public.events");
    }
}
