package io.microbatch.connect.convert;

import io.microbatch.connect.common.Plugin;
import io.microbatch.connect.config.ConverterConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.Converter;
import org.apache.kafka.connect.storage.HeaderConverter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Converts records as the worker would: headers, key and value, each with its converter. A refused record is a return
 * value and not an exception. Requests for a retry, outages and errors of the JVM are thrown. One reader thread.
 */
final class Converters implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Converters.class);

    /** All created converters, to be closed. */
    private final List<Object> created = new ArrayList<>();

    private final Converter keyConverter;
    private final Converter valueConverter;
    private final HeaderConverter headerConverter;

    /**
     * Creates and configures the converters. Throws and leaves none open if one fails. The header converter may be
     * null.
     */
    Converters(ConverterConfig key, ConverterConfig value, ConverterConfig header) {
        try {
            keyConverter = configured(key, true);
            valueConverter = configured(value, false);
            headerConverter = header == null ? null : configured(header);
        } catch (Throwable t) {
            close();
            throw t;
        }
    }

    private HeaderConverter configured(ConverterConfig config) {
        HeaderConverter converter = created(config, HeaderConverter.class);
        Map<String, String> settings = new HashMap<>(config.settings());
        settings.put("converter.type", "header");
        return Plugin.under(converter.getClass().getClassLoader(), () -> {
            converter.configure(settings);
            return converter;
        });
    }

    private Converter configured(ConverterConfig config, boolean isKey) {
        Converter converter = created(config, Converter.class);
        return Plugin.under(converter.getClass().getClassLoader(), () -> {
            converter.configure(config.settings(), isKey);
            return converter;
        });
    }

    private <T> T created(ConverterConfig config, Class<T> type) {
        T converter = Plugin.create(config.className(), type);
        created.add(converter);
        return converter;
    }

    /** Converts a record. Throws a RetriableException if the conversion should be repeated. */
    Converted convert(SourceRecord record) {
        RecordHeaders headers = new RecordHeaders();
        byte[] key = null;
        Stage stage = Stage.HEADER_CONVERTER;
        Object converter = headerConverter;
        try {
            RuntimeException refused = headerConverter == null ? null : addHeaders(record, headers);
            if (refused != null) {
                throw refused;
            }
            Header[] own = headers.toArray();
            stage = Stage.KEY_CONVERTER;
            converter = keyConverter;
            key = bytes(keyConverter, record, headers, record.keySchema(), record.key());
            Stage headersBy = Arrays.equals(own, headers.toArray()) ? null : stage;
            stage = Stage.VALUE_CONVERTER;
            converter = valueConverter;
            byte[] value = bytes(valueConverter, record, headers, record.valueSchema(), record.value());
            if (headersBy == null && !Arrays.equals(own, headers.toArray())) {
                headersBy = stage;
            }
            return new Converted(headers, key, value, null, headersBy);
        } catch (RuntimeException e) {
            throwUnlessVerdict(converter, e);
            return new Converted(
                    headers, key, null, new Failure(stage, converter.getClass().getName(), e), null);
        }
    }

    /** Returns if the exception is a verdict on the event. Throws a RetriableException if it says nothing about it. */
    private static void throwUnlessVerdict(Object converter, RuntimeException e) {
        if (e instanceof RetriableException
                || e instanceof org.apache.kafka.common.errors.RetriableException
                || e instanceof InterruptException) {
            throw e;
        }
        if (Outage.caused(e)) {
            throw new RetriableException(
                    converter.getClass().getName()
                            + " failed without a verdict on the event: its service was not reached, did not work, or "
                            + "refused the client",
                    e);
        }
    }

    /** Adds all headers, those that the converter refuses as bytes or text. Returns the first refusal, or null. */
    private RuntimeException addHeaders(SourceRecord record, RecordHeaders headers) {
        RuntimeException refused = null;
        for (org.apache.kafka.connect.header.Header header : record.headers()) {
            byte[] bytes;
            try {
                bytes = header(record.topic(), header);
            } catch (RuntimeException e) {
                throwUnlessVerdict(headerConverter, e);
                refused = refused == null ? e : refused;
                bytes = DeadLetter.bytesOf(header.value());
            }
            headers.add(header.key(), bytes);
        }
        return refused;
    }

    private byte[] header(String topic, org.apache.kafka.connect.header.Header header) {
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

    /** Closes each converter, even if others fail. */
    @Override
    public void close() {
        for (Object converter : created) {
            try {
                Plugin.close(converter);
            } catch (RuntimeException e) {
                log.warn("A converter did not close cleanly", e);
            }
        }
    }
}
