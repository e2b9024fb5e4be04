package io.microbatch.connect.transforms;

import io.microbatch.connect.common.Version;
import java.io.IOException;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.components.Versioned;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.storage.HeaderConverter;
import org.apache.kafka.connect.storage.SimpleHeaderConverter;

/**
 * The header converter for records with converted headers, to which transforms add further headers. {@link
 * #OVERVIEW_DOC} describes it. Task thread.
 */
public final class MixedHeaderConverter implements HeaderConverter, Versioned {

    /** The description in the documentation. */
    public static final String OVERVIEW_DOC =
            "Writes a header of bytes unchanged and any other header as SimpleHeaderConverter does. Reads every header "
                    + "as SimpleHeaderConverter does. It is for a connector that converts headers itself, as with "
                    + "deadletter.topic, if transforms add headers.";

    private final SimpleHeaderConverter text = new SimpleHeaderConverter();

    @Override
    public String version() {
        return Version.current();
    }

    @Override
    public ConfigDef config() {
        return text.config();
    }

    @Override
    public void configure(Map<String, ?> configs) {
        text.configure(configs);
    }

    @Override
    public SchemaAndValue toConnectHeader(String topic, String headerKey, byte[] value) {
        return text.toConnectHeader(topic, headerKey, value);
    }

    @Override
    public byte[] fromConnectHeader(String topic, String headerKey, Schema schema, Object value) {
        return value instanceof byte[] bytes ? bytes : text.fromConnectHeader(topic, headerKey, schema, value);
    }

    @Override
    public void close() throws IOException {
        text.close();
    }
}
