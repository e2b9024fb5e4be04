package io.debezium.engine.source;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/** A stand-in for the context of a task in Debezium's engine, with the same answers and no stored offsets. */
public final class EngineContext implements SourceTaskContext {

    @Override
    public Map<String, String> configs() {
        return null;
    }

    @Override
    public OffsetStorageReader offsetStorageReader() {
        return new OffsetStorageReader() {
            @Override
            public <T> Map<String, Object> offset(Map<String, T> partition) {
                return null;
            }

            @Override
            public <T> Map<Map<String, T>, Map<String, Object>> offsets(Collection<Map<String, T>> partitions) {
                return new HashMap<>();
            }
        };
    }

    @Override
    public PluginMetrics pluginMetrics() {
        return null;
    }
}
