package io.microbatch.connect.bulk;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Reads a bulk record as the list of its events, with copies of their bytes. {@link BulkCursorDeserializer} does not
 * copy.
 *
 * <p>Settings: {@link BulkReaderConfig}. A null value is returned as null; a damaged one throws {@link
 * BulkFormatException} and returns no event. One thread: the consumer's.
 */
public final class BulkDeserializer implements Deserializer<List<BulkEvent>> {

    private BulkReader reader = new BulkReader(BulkLimits.DEFAULT);

    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
        reader = new BulkReader(BulkReaderConfig.limits(configs));
    }

    @Override
    public List<BulkEvent> deserialize(String topic, byte[] data) {
        return data == null ? null : reader.read(data).toList();
    }

    @Override
    public List<BulkEvent> deserialize(String topic, Headers headers, ByteBuffer data) {
        return data == null ? null : reader.read(data).toList();
    }
}
