package io.microbatch.connect.bulk;

import io.microbatch.connect.common.Plugin;
import java.util.Map;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.storage.Converter;

/**
 * The converter of the events in bulk records. It may be in any plugin directory of the worker and runs under its own
 * class loader. One thread.
 */
public final class InnerConverter implements AutoCloseable {

    private final Converter converter;

    /**
     * Creates the converter and configures it for values.
     *
     * @param className its class
     * @param settings its settings, without a prefix
     * @throws org.apache.kafka.connect.errors.ConnectException if it is not installed or is not a converter
     */
    public InnerConverter(String className, Map<String, ?> settings) {
        converter = Plugin.create(className, Converter.class);
        try {
            boolean ignored = under(() -> {
                converter.configure(settings, false);
                return true;
            });
        } catch (Throwable t) {
            closeAfter(t);
            throw t;
        }
    }

    private void closeAfter(Throwable failure) {
        try {
            close();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    SchemaAndValue toConnectData(String topic, byte[] value) {
        return under(() -> converter.toConnectData(topic, value));
    }

    @Override
    public void close() {
        Plugin.close(converter);
    }

    private <T> T under(java.util.function.Supplier<T> code) {
        return Plugin.under(converter.getClass().getClassLoader(), code);
    }
}
