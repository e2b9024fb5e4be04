package io.microbatch.bench.matrix;

import io.microbatch.connect.bulk.BulkEvent;
import io.microbatch.connect.bulk.BulkLimits;
import io.microbatch.connect.bulk.BulkReader;
import io.microbatch.connect.metrics.Metric;
import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.JmxReader;
import io.microbatch.testbed.oracle.Event;
import io.microbatch.testbed.oracle.Findings;
import io.microbatch.testbed.oracle.Oracle;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The generator with two tasks, restarted in the middle of its events: as single records through a transform, or as
 * bulk records. One thread.
 */
final class GeneratorCheck {

    static final String CONNECTOR = "io.microbatch.connect.MicrobatchSourceConnector";

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";
    private static final String STAMPED = "microbatch.batch.size";
    private static final int PARTITIONS = 2;
    private static final int EVENTS = 2_000;
    private static final int RATE_PER_SEC = 1_000;
    private static final long SEED = 11;

    private final CellServers servers;
    private final String name;
    private final boolean bulk;

    GeneratorCheck(CellServers servers, boolean bulk) {
        this.servers = servers;
        this.name = bulk ? "bulk" : "generator";
        this.bulk = bulk;
    }

    String name() {
        return name;
    }

    /** The configuration of the connector. */
    Map<String, String> config() {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", CONNECTOR);
        config.put("tasks.max", Integer.toString(PARTITIONS));
        config.put("exactly.once.support", "required");
        config.put("upstream.type", "synthetic");
        config.put("upstream.synthetic.topic", name);
        config.put("upstream.synthetic.partitions", Integer.toString(PARTITIONS));
        config.put("upstream.synthetic.events.per.partition", Integer.toString(EVENTS));
        config.put("upstream.synthetic.rate", Integer.toString(RATE_PER_SEC));
        config.put("upstream.synthetic.seed", Long.toString(SEED));
        config.put("calibration.directory", servers.calibrationDirectory());
        config.put("key.converter", BYTES);
        config.put("value.converter", BYTES);
        if (bulk) {
            config.put("bulk.enabled", "true");
        } else {
            config.put("transforms", "stamp");
            config.put("transforms.stamp.type", "io.microbatch.connect.transforms.StampPressure");
        }
        return config;
    }

    /** Runs the connector until every event is in the topic, with a restart in between. It runs afterwards. */
    void run() {
        servers.rest().create(name, config());
        servers.awaitRunning(name, PARTITIONS);
        awaitFindings(PARTITIONS * EVENTS / 4);
        servers.rest().restart(name);
        awaitFindings(PARTITIONS * EVENTS);
    }

    /** Fewer than expected are left to the final check, which counts them. */
    private void awaitFindings(int events) {
        boolean ignored = Await.reached(PATIENCE, () -> {
            Findings found = findings();
            return found.events() - found.lost() >= events;
        });
    }

    /** The names of metrics that the running tasks publish. */
    TreeSet<String> metrics() {
        String pattern = "kafka.connect:type=plugins,connector=" + JmxReader.tag(name) + ",task=0,*";
        TreeSet<String> present = new TreeSet<>();
        boolean ignored = Await.reached(PATIENCE, () -> {
            for (Metric metric : Metric.values()) {
                if (!servers.jmx().attributes(pattern, metric.label()).isEmpty()) {
                    present.add(metric.label());
                }
            }
            return present.size() == Metric.values().length;
        });
        return present;
    }

    /** Stops the connector and compares the topic with the events. */
    Findings check() {
        servers.stop(name);
        int partitions = servers.rest().offsets(name).path("offsets").size();
        if (partitions != PARTITIONS) {
            throw new IllegalStateException(name + " has offsets of " + partitions + " source partitions");
        }
        return findings();
    }

    private Findings findings() {
        long[] expected = new long[PARTITIONS];
        Arrays.fill(expected, EVENTS);
        Oracle oracle = new Oracle(SEED, expected);
        SyntheticEvent decoder = new SyntheticEvent();
        servers.reader().readCommitted(name, record -> show(record, decoder, oracle));
        return oracle.findings();
    }

    private void show(ConsumerRecord<byte[], byte[]> record, SyntheticEvent decoder, Oracle oracle) {
        if (bulk) {
            for (BulkEvent event :
                    new BulkReader(BulkLimits.DEFAULT).read(record.value()).toList()) {
                saw(event.value(), decoder, oracle);
            }
        } else if (record.headers().lastHeader(STAMPED) == null) {
            // The transform has not seen it.
            oracle.sawCorrupt();
        } else {
            saw(record.value(), decoder, oracle);
        }
    }

    private static void saw(byte[] value, SyntheticEvent decoder, Oracle oracle) {
        try {
            SyntheticEvent.Header event = decoder.decode(value);
            oracle.saw(new Event(event.seed(), event.partition(), event.sequence(), 0), 0);
        } catch (IllegalArgumentException e) {
            oracle.sawCorrupt();
        }
    }
}
