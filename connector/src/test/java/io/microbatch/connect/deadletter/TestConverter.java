package io.microbatch.connect.deadletter;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.storage.Converter;

/** Converts text, and does what the text says: poison is refused, "retry 3" asked for again three times. */
public final class TestConverter implements Converter {

    private String prefix = "";
    private int asked;

    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
        Object configured = configs.get("prefix");
        prefix = configured == null ? "" : configured.toString();
    }

    @Override
    public byte[] fromConnectData(String topic, Schema schema, Object value) {
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
        if (text.equals("memory")) {
            throw new OutOfMemoryError("planted");
        }
        return (prefix + text).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public SchemaAndValue toConnectData(String topic, byte[] value) {
        throw new UnsupportedOperationException();
    }
}
