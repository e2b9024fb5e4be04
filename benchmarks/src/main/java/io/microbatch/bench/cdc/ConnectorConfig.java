package io.microbatch.bench.cdc;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.microbatch.bench.BenchHome;
import io.microbatch.testbed.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The example that a user posts, with this machine's addresses in it. As JSON it is {@code {"name":…,"config":{…}}}.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record ConnectorConfig(String name, Map<String, String> config) {

    /** The prefix of the hosted connector's own keys. */
    static final String UPSTREAM = "upstream.connector.";

    /** How many threads of Debezium's engine transform and convert. A worker does not have them. */
    static final String ENGINE_THREADS = "record.processing.threads";

    private static final String EXAMPLE = "config-examples/postgres-cdc.json";
    private static final List<String> CONVERTERS = List.of("key.converter", "value.converter");
    /** The example's own choices, which the comparison with Debezium's defaults leaves at their defaults. */
    private static final List<String> TUNING = List.of("poll.interval.ms", "max.batch.size", "max.queue.size");

    /** What the documentation shows. */
    static ConnectorConfig example() {
        return load(BenchHome.root().resolve(EXAMPLE));
    }

    private static ConnectorConfig load(Path example) {
        try {
            return new ObjectMapper().readValue(example.toFile(), ConnectorConfig.class);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + example, e);
        }
    }

    /** The hosted Debezium connector by itself: its settings from the example, without what tunes it. */
    ConnectorConfig plain() {
        Map<String, String> plain = new TreeMap<>();
        config.forEach((key, value) -> {
            if (key.startsWith(UPSTREAM)) {
                plain.put(key.substring(UPSTREAM.length()), value);
            } else if (CONVERTERS.stream().anyMatch(key::startsWith)) {
                plain.put(key, value);
            }
        });
        plain.keySet().removeAll(TUNING);
        plain.put("connector.class", plain.remove("class"));
        plain.put("tasks.max", "1");
        return new ConnectorConfig(name, plain);
    }

    /** The same, reading this database. */
    ConnectorConfig readingFrom(PostgresServer postgres) {
        String prefix = isPlain() ? "" : UPSTREAM;
        return with(Map.of(
                prefix + "database.hostname", postgres.host(),
                prefix + "database.port", Integer.toString(postgres.port()),
                prefix + "database.dbname", postgres.database(),
                prefix + "database.user", postgres.user(),
                prefix + "database.password", postgres.password()));
    }

    /** The same with other values for some keys. */
    ConnectorConfig with(Map<String, String> overrides) {
        Map<String, String> merged = new TreeMap<>(config);
        merged.putAll(overrides);
        return new ConnectorConfig(name, merged);
    }

    /** The same with some keys at their defaults. */
    ConnectorConfig without(Set<String> keys) {
        Map<String, String> fewer = new TreeMap<>(config);
        fewer.keySet().removeAll(keys);
        return new ConnectorConfig(name, fewer);
    }

    /** Where the rows of the demo's table go. */
    String topic() {
        return config.get((isPlain() ? "" : UPSTREAM) + "topic.prefix") + "." + EventTable.NAME;
    }

    /** Whether it is for Debezium's engine, which is told by a setting of the engine. */
    boolean isForEngine() {
        return config.containsKey(ENGINE_THREADS);
    }

    private boolean isPlain() {
        return !config.containsKey(UPSTREAM + "class");
    }
}
