package io.microbatch.connect.deadletter;

import io.microbatch.connect.config.ConverterConfig;
import io.microbatch.connect.plugin.Plugin;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.Converter;
import org.apache.kafka.connect.storage.HeaderConverter;

/**
 * Converts records as the worker would: headers, key, value, each with its converter. What a converter refuses is an
 * answer and not an exception; what it asks to be tried again, and errors of the JVM, go on. One reader thread.
 */
final class Conversion implements Closeable {

    private final Converter keyConverter;
    private final Converter valueConverter;
    private final HeaderConverter headerConverter;

    /**
     * Creates and configures the converters.
     *
     * @param header null if headers are not wanted
     */
    Conversion(ConverterConfig key, ConverterConfig value, ConverterConfig header) {
        keyConverter = configured(key, true);
        valueConverter = configured(value, false);
        headerConverter = header == null ? null : configured(header);
    }

    private static HeaderConverter configured(ConverterConfig header) {
        HeaderConverter headerConverter = Plugin.create(header.className(), HeaderConverter.class);
        Map<String, String> settings = new HashMap<>(header.settings());
        settings.put("converter.type", "header");
        Plugin.under(headerConverter.getClass().getClassLoader(), () -> {
            headerConverter.configure(settings);
            return null;
        });
        return headerConverter;
    }

    private static Converter configured(ConverterConfig config, boolean isKey) {
        Converter converter = Plugin.create(config.className(), Converter.class);
        return Plugin.under(converter.getClass().getClassLoader(), () -> {
            converter.configure(config.settings(), isKey);
            return converter;
        });
    }

    /**
     * Converts what there is.
     *
     * @throws RetriableException if it is worth trying again
     */
    Converted convert(SourceRecord record) {
        RecordHeaders headers = new RecordHeaders();
        byte[] key = null;
        Stage stage = Stage.HEADER_CONVERTER;
        Object converter = headerConverter;
        try {
            if (headerConverter != null) {
                for (Header header : record.headers()) {
                    headers.add(header.key(), header(record.topic(), header));
                }
            }
            stage = Stage.KEY_CONVERTER;
            converter = keyConverter;
            key = bytes(keyConverter, record, headers, record.keySchema(), record.key());
            stage = Stage.VALUE_CONVERTER;
            converter = valueConverter;
            byte[] value = bytes(valueConverter, record, headers, record.valueSchema(), record.value());
            return new Converted(headers, key, value, null);
        } catch (RetriableException | org.apache.kafka.common.errors.RetriableException | InterruptException e) {
            throw e;
        } catch (RuntimeException e) {
            return new Converted(
                    headers, key, null, new Failure(stage, converter.getClass().getName(), e));
        }
    }

    private byte[] header(String topic, Header header) {
        return Plugin.under(
                headerConverter.getClass().getClassLoader(),
                () -> headerConverter.fromConnectHeader(topic, header.key(), header.schema(), header.value()));
    }

    private static byte[] bytes(
            Converter converter, SourceRecord record, RecordHeaders headers, Schema schema, Object value) {
        return Plugin.under(
                converter.getClass().getClassLoader(),
                () -> converter.fromConnectData(record.topic(), headers, schema, value));
    }

    @Override
    public void close() throws IOException {
        try (keyConverter;
                valueConverter;
                headerConverter) {
            // Each in its turn, whatever the others answer.
            return;
        }
    }
}
