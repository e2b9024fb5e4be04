package io.microbatch.connect.it;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Ports;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A connector with {@code upstream.type=http}, and its topic of the same name.
 *
 * @param cluster the cluster that runs it
 * @param name the name of the connector and the topic
 * @param port the port of task 0
 */
record HttpIngest(Cluster cluster, String name, int port) {

    private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";

    /** A connector on a free port. */
    static HttpIngest of(Cluster cluster, String name) {
        return new HttpIngest(cluster, name, Ports.free());
    }

    /** Its configuration, with further settings. */
    Map<String, String> config(int tasks, Map<String, String> more) {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", Cluster.CONNECTOR);
        config.put("tasks.max", Integer.toString(tasks));
        config.put("upstream.type", "http");
        config.put("upstream.http.topics", name + ":1");
        config.put("upstream.http.port", Integer.toString(port));
        // No event is refused because a busy machine has paused. HttpStopIT has a stall.
        config.put("upstream.http.stall.ms", "60000");
        config.put("calibration.directory", cluster.calibrationDirectory().toString());
        for (String kind : List.of("key", "value", "header")) {
            config.put(kind + ".converter", BYTES);
        }
        config.putAll(more);
        return config;
    }

    /** Starts it with one task, which is ready when this returns. */
    HttpPoster start(Mode mode, Map<String, String> more) {
        cluster.rest(mode).create(name, config(1, more));
        cluster.worker(mode).awaitRunning(name, 1);
        HttpPoster poster = poster();
        poster.awaitReady();
        return poster;
    }

    HttpPoster poster() {
        return new HttpPoster(port);
    }

    /**
     * The committed records of the topic, when no transaction is open. Kafka answers a commit before it has marked the
     * records, and an application is answered then.
     */
    List<ConsumerRecord<byte[], byte[]>> records() {
        cluster.reader().awaitStable(name, Duration.ofSeconds(60));
        return cluster.reader().readCommitted(name);
    }

    /** The values of the committed records, as text. */
    List<String> values() {
        return records().stream()
                .map(record -> record.value() == null ? "null" : new String(record.value(), StandardCharsets.UTF_8))
                .toList();
    }
}
