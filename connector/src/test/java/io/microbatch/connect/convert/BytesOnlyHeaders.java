package io.microbatch.connect.convert;

import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.storage.HeaderConverter;

/** Refuses everything but bytes, as Kafka's ByteArrayConverter does. */
public final class BytesOnlyHeaders implements HeaderConverter {

    /** Called by reflection. */
    public BytesOnlyHeaders() {}

    @Override
    public void configure(Map<String, ?> configs) {}

    @Override
    public ConfigDef config() {
        return new ConfigDef();
    }

    @Override
    public byte[] fromConnectHeader(String topic, String headerKey, Schema schema, Object value) {
        if (value instanceof byte[] bytes) {
            return bytes;
        }
        throw new DataException("no bytes: " + headerKey);
    }

    @Override
    public SchemaAndValue toConnectHeader(String topic, String headerKey, byte[] value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
