package io.microbatch.connect.upstream.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import io.debezium.engine.source.EngineContext;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class HostedTaskContextTest {

    @Test
    void hasTheSettingsThatTheTaskWasStartedWithWhereTheRuntimeHasNone() {
        Map<String, String> started = Map.of("name", "orders", "upstream.connector.topic", "t");
        HostedTaskContext context = new HostedTaskContext(new EngineContext(), started, new AtomicReference<>());
        assertThat(context.configs()).containsEntry("topic", "t");
        assertThat(context.transactionContext()).isNull();
        assertThat(context.pluginMetrics()).isNull();
    }
}
