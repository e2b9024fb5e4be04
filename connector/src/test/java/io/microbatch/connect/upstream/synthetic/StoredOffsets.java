package io.microbatch.connect.upstream.synthetic;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/** Committed source offsets from a map. */
public record StoredOffsets(Map<Map<String, ?>, Map<String, Object>> committed) implements OffsetStorageReader {

    @Override
    public <T> Map<String, Object> offset(Map<String, T> partition) {
        return committed.get(partition);
    }

    @Override
    public <T> Map<Map<String, T>, Map<String, Object>> offsets(Collection<Map<String, T>> partitions) {
        Map<Map<String, T>, Map<String, Object>> answer = new HashMap<>();
        partitions.forEach(partition -> answer.put(partition, committed.get(partition)));
        return answer;
    }
}
