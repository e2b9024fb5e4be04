package io.microbatch.connect.convert;

import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.storage.Converter;

/**
 * Converts text. Refuses texts with "poison", asks for three retries at "retry 3", and fails three times at
 * "outage 3" as if a registry did not accept connections. Must not be used after close.
 */
public final class TestConverter implements Converter {

    /** The number of open instances. */
    static final AtomicInteger OPEN = new AtomicInteger();

    private String prefix = "";
    private int asked;
    private boolean closed;

    /** Called by reflection. */
    public TestConverter() {
        OPEN.incrementAndGet();
    }

    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
        if (configs.containsKey("refuse")) {
            throw new ConfigException("refuse must not be set");
        }
        Object configured = configs.get("prefix");
        prefix = configured == null ? "" : configured.toString();
    }

    @Override
    public byte[] fromConnectData(String topic, Schema schema, Object value) {
        if (closed) {
            throw new IllegalStateException("closed");
        }
        if (value == null) {
            return null;
        }
        String text = value.toString();
        if (text.contains("poison")) {
            throw new DataException("cannot convert " + text);
        }
        if (text.startsWith("retry ") && asked++ < Integer.parseInt(text.substring(6))) {
            throw new RetriableException("the registry does not answer");
        }
        if (text.startsWith("outage ") && asked++ < Integer.parseInt(text.substring(7))) {
            throw new DataException("x", new SerializationException("y", new ConnectException("Connection refused")));
        }
        if (text.equals("memory")) {
            throw new OutOfMemoryError("planted");
        }
        return (prefix + text).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public SchemaAndValue toConnectData(String topic, byte[] value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            OPEN.decrementAndGet();
        }
    }
}
