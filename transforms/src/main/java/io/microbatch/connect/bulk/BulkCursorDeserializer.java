package io.microbatch.connect.bulk;

import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Reads a bulk record as a cursor of its own, before the first event. Header and checksum are checked; events are not
 * copied but stay in what the consumer fetched, which is kept from the garbage collector as long as the cursor is.
 *
 * <p>Settings: {@link BulkReaderConfig}. A null value stays null; a damaged one gives {@link BulkFormatException}. Like
 * every deserializer it belongs to one consumer and its thread.
 */
public final class BulkCursorDeserializer implements Deserializer<BulkReader> {

    private BulkLimits limits = BulkLimits.DEFAULT;

    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
        limits = BulkReaderConfig.limits(configs);
    }

    @Override
    public BulkReader deserialize(String topic, byte[] data) {
        return data == null ? null : new BulkReader(limits).read(data);
    }

    @Override
    public BulkReader deserialize(String topic, Headers headers, ByteBuffer data) {
        return data == null ? null : new BulkReader(limits).read(data);
    }
}
