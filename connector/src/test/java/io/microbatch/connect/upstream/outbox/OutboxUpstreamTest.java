package io.microbatch.connect.upstream.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.junit.jupiter.api.Test;

class OutboxUpstreamTest {

    private final Map<String, String> config = new HashMap<>(Map.of(
            "upstream.type", "outbox",
            "upstream.outbox.jdbc.url", "jdbc:postgresql://127.0.0.1:1/shop",
            "upstream.outbox.user", "relay",
            "upstream.outbox.password", "hunter2-and-more",
            "upstream.outbox.shards", "3"));

    private final OutboxUpstream upstream = new OutboxUpstream();

    @Test
    void assignsEachShardToOneTask() {
        upstream.start(config, null);
        assertThat(upstream.taskConfigs(8)).hasSize(3).doesNotHaveDuplicates();
        assertThat(upstream.taskConfigs(2))
                .containsExactly(
                        Map.of("upstream.outbox.task.first", "0", "upstream.outbox.task.step", "2"),
                        Map.of("upstream.outbox.task.first", "1", "upstream.outbox.task.step", "2"));
        assertThat(upstream.exactlyOnceSupport(config)).isEqualTo(ExactlyOnceSupport.SUPPORTED);
    }

    @Test
    void saysThatTheDatabaseDoesNotAnswerAndShowsNoSecret() {
        assertThat(upstream.validate(config)).singleElement().satisfies(value -> {
            assertThat(value.name()).isEqualTo("upstream.outbox.jdbc.url");
            assertThat(value.errorMessages()).singleElement().asString().contains("SQLSTATE 08001");
            assertThat(value.errorMessages().toString()).doesNotContain("hunter2");
        });
    }

    @Test
    void takesAlteredOffsetsOfItsShardsOnly() {
        Map<String, ?> offset = Map.of("from", "1:1:", "to", "9:9:", "seq", 4L, "server", "7/00000001");
        for (String partition : List.of("public.outboxevent:0/3", "public.out:box:2/3")) {
            assertThat(alter(Map.of("outbox", partition), offset)).isTrue();
            assertThat(alter(Map.of("outbox", partition), null)).isTrue();
        }
        for (String partition :
                Arrays.asList("public.outboxevent:3/3", "public.outboxevent:0/1", "outboxevent", ":0/3")) {
            assertThatThrownBy(() -> alter(Map.of("outbox", partition), offset))
                    .isInstanceOf(ConnectException.class)
                    .hasMessageContaining("<shard>/3");
            assertThat(alter(Map.of("outbox", partition), null))
                    .as("whatever is stored can be removed")
                    .isTrue();
        }
        assertThatThrownBy(() -> alter(Map.of("table", "public.outboxevent:0/3"), offset))
                .isInstanceOf(ConnectException.class);
        assertThatThrownBy(() -> alter(Map.of("outbox", "public.outboxevent:0/3"), Map.of("seq", 4L)))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("<pg_snapshot>");
    }

    private boolean alter(Map<String, ?> partition, Map<String, ?> offset) {
        Map<Map<String, ?>, Map<String, ?>> offsets = new HashMap<>();
        offsets.put(partition, offset);
        return upstream.alterOffsets(config, offsets);
    }
}
