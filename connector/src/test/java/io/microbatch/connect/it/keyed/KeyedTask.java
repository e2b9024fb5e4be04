package io.microbatch.connect.it.keyed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;

/**
 * Writes hashes of its secrets into its journal and counts upwards from its committed offset. The test converter
 * refuses the first record.
 */
public final class KeyedTask extends SourceTask {

    static final String TOPIC = "topic";
    static final String JOURNAL = "journal";
    static final String PASSWORD = "password";
    static final String TOKEN = "token";
    static final String URL = "url";

    private static final Map<String, String> PARTITION = Map.of("source", "keyed");
    private static final long PAUSE_NANOS = 50_000_000;

    private String topic;
    private long next;

    /** Called by reflection. */
    public KeyedTask() {}

    /** The journal line of these settings. */
    public static String line(Map<String, String> settings) {
        return hash(settings.get(PASSWORD)) + " " + hash(settings.get(TOKEN)) + " " + hash(settings.get(URL)) + " "
                + settings.containsKey(KeyedConnector.FOR_THE_CONNECTOR) + "\n";
    }

    private static String hash(String value) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha.digest(value.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void start(Map<String, String> properties) {
        topic = properties.get(TOPIC);
        Map<String, Object> offset = context.offsetStorageReader().offset(PARTITION);
        next = offset == null ? 0 : (Long) offset.get("next");
        try {
            // The settings at the start, and those that the worker returns on request.
            Files.writeString(
                    Path.of(properties.get(JOURNAL)),
                    line(properties) + line(context.configs()),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public List<SourceRecord> poll() {
        LockSupport.parkNanos(PAUSE_NANOS);
        String value = (next == 0 ? "poison " : "event ") + next;
        next++;
        return List.of(new SourceRecord(PARTITION, Map.of("next", next), topic, Schema.STRING_SCHEMA, value));
    }

    @Override
    public void stop() {}

    @Override
    public String version() {
        return "1";
    }
}
