package io.microbatch.connect.it;

import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A finite synthetic connector and its topic of the same name.
 *
 * @param cluster the cluster that runs it
 * @param name the name of the connector and the topic
 * @param partitions the number of source partitions
 * @param eventsPerPartition the number of events of each source partition
 * @param bulk whether it writes bulk records, which are unpacked to count and check their events
 */
record SyntheticLoad(Cluster cluster, String name, int partitions, int eventsPerPartition, boolean bulk) {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long SEED = 7;
    private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";

    SyntheticLoad(Cluster cluster, String name, int partitions, int eventsPerPartition) {
        this(cluster, name, partitions, eventsPerPartition, false);
    }

    /** The same load with bulk records. */
    SyntheticLoad unpacked() {
        return new SyntheticLoad(cluster, name, partitions, eventsPerPartition, true);
    }

    /**
     * The configuration of the connector. The rate is of the whole connector, in events per second; 0 is full speed.
     */
    Map<String, String> config(int tasks, int rate) {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", Cluster.CONNECTOR);
        config.put("tasks.max", Integer.toString(tasks));
        config.put("upstream.type", "synthetic");
        config.put("upstream.synthetic.topic", name);
        config.put("upstream.synthetic.partitions", Integer.toString(partitions));
        config.put("upstream.synthetic.events.per.partition", Integer.toString(eventsPerPartition));
        config.put("upstream.synthetic.rate", Integer.toString(rate));
        config.put("upstream.synthetic.size.bytes", "40-200");
        config.put("upstream.synthetic.seed", Long.toString(SEED));
        config.put("calibration.directory", cluster.calibrationDirectory().toString());
        config.put("value.converter", BYTES);
        config.put("key.converter", BYTES);
        return config;
    }

    /** The number of events of the whole load. */
    long total() {
        return (long) partitions * eventsPerPartition;
    }

    /** The number of events in the topic now. */
    long count() {
        long[] events = new long[1];
        each(event -> events[0]++);
        return events[0];
    }

    private void each(Consumer<ConsumerRecord<byte[], byte[]>> sink) {
        cluster.reader().readCommitted(name, record -> {
            if (bulk) {
                Unpacking.each(record, sink);
            } else {
                sink.accept(record);
            }
        });
    }

    /** Waits until the topic holds this number of events. */
    void awaitEvents(long atLeast) {
        long[] seen = new long[1];
        Await.until(
                atLeast + " events in " + name,
                PATIENCE,
                () -> {
                    seen[0] = count();
                    return seen[0] >= atLeast;
                },
                () -> seen[0] + " seen");
    }

    /** Compares the present content of the topic with the whole load. */
    SyntheticCheck check() {
        return SyntheticCheck.of(this::each, SEED, partitions, eventsPerPartition);
    }

    /** Stops the connector before the check, so that a duplicated tail is detected. */
    SyntheticCheck checkStopped(ConnectRest rest) {
        rest.stop(name);
        rest.awaitState(name, "STOPPED");
        cluster.reader().awaitStable(name, PATIENCE);
        return check();
    }

    /** Waits until nothing is lost. A count may include duplicates. */
    void awaitEnd() {
        Await.until("the end of " + name, PATIENCE, () -> check().lost() == 0, () -> check().toString());
    }
}
