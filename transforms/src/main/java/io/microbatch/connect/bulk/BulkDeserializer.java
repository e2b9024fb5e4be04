package io.microbatch.connect.bulk;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Reads a bulk record as the list of its events, each with arrays of its own. Where no copies are wanted,
 * {@link BulkCursorDeserializer} reads it as a cursor.
 *
 * <p>Settings: {@link BulkReaderConfig}. A null value stays null; a damaged one gives {@link BulkFormatException}, all
 * of it or nothing. Like every deserializer it belongs to one consumer and its thread.
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
