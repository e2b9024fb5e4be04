package io.microbatch.connect.bulk;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.storage.Converter;

/** Counts as open until it is closed under its own class loader. */
public final class ClosingConverter implements Converter {

    /** The number of open converters. */
    public static final AtomicInteger OPEN = new AtomicInteger();

    /** For Connect. */
    public ClosingConverter() {
        OPEN.incrementAndGet();
    }

    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
        if (configs.containsKey("refuse")) {
            throw new ConfigException("refuse must not be set");
        }
    }

    @Override
    public byte[] fromConnectData(String topic, Schema schema, Object value) {
        throw new AssertionError("only reads");
    }

    @Override
    public SchemaAndValue toConnectData(String topic, byte[] value) {
        return new SchemaAndValue(Schema.OPTIONAL_BYTES_SCHEMA, value);
    }

    @Override
    public void close() {
        if (Thread.currentThread().getContextClassLoader() == getClass().getClassLoader()) {
            OPEN.decrementAndGet();
        }
    }
}
