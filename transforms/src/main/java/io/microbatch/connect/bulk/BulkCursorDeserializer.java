package io.microbatch.connect.bulk;

import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Reads a bulk record as a new cursor before the first event, with header and checksum checked. Events are not copied:
 * the cursor refers to the bytes that the consumer fetched, so the collector cannot free them before the cursor.
 *
 * <p>Settings: {@link BulkReaderConfig}. A null value is returned as null; a damaged one throws {@link
 * BulkFormatException}. One thread: the consumer's.
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
