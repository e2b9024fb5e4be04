package io.microbatch.bench.load;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * A stream of events through a connector. Immutable.
 *
 * @param connector its name, under which it keeps what it learned from run to run
 * @param topic where the events go, new for each run
 * @param delivery the worker's mode
 * @param rate a rate curve as {@code upstream.synthetic.rate} takes it
 * @param events how many there are, the same number in each source partition
 * @param warmUpEvents how many of them are checked and not measured
 * @param limitSeconds when to give up
 * @param config connector settings that win over the defaults
 * @param layout how the events are spread
 * @param promise what the run may show and still be verified
 * @param coolDownEvents how many of the last events are checked and not measured. A source that is at its end may be
 *     late with its last commit, which is no latency of a stream that goes on
 */
public record LoadSpec(
        String connector,
        String topic,
        Delivery delivery,
        String rate,
        int events,
        int warmUpEvents,
        int limitSeconds,
        Map<String, String> config,
        Layout layout,
        Promise promise,
        int coolDownEvents) {

    private static final String GENERATOR_PREFIX = "upstream.synthetic.";

    private static final Set<String> OF_A_RUN = Set.of(
            "upstream.synthetic.topic",
            "upstream.synthetic.rate",
            "upstream.synthetic.events.per.partition",
            "calibration.directory");

    /** All events after the warm-up are measured. */
    public LoadSpec(
            String connector,
            String topic,
            Delivery delivery,
            String rate,
            int events,
            int warmUpEvents,
            int limitSeconds,
            Map<String, String> config,
            Layout layout,
            Promise promise) {
        this(connector, topic, delivery, rate, events, warmUpEvents, limitSeconds, config, layout, promise, 0);
    }

    /** One source partition into one topic partition, every event exactly once. */
    public LoadSpec(
            String connector,
            String topic,
            Delivery delivery,
            String rate,
            int events,
            int warmUpEvents,
            int limitSeconds,
            Map<String, String> config) {
        this(
                connector,
                topic,
                delivery,
                rate,
                events,
                warmUpEvents,
                limitSeconds,
                config,
                Layout.SINGLE,
                Promise.EXACT);
    }

    /** The rate of a curve without a limit. */
    public static final String UNLIMITED = "0";

    /** At a steady rate for a time in seconds, whose first part is not measured. */
    public static LoadSpec steady(
            String connector,
            String topic,
            Delivery delivery,
            int perSec,
            int warmUpSeconds,
            int seconds,
            Map<String, String> config) {
        return new LoadSpec(
                connector,
                topic,
                delivery,
                Integer.toString(perSec),
                Math.multiplyExact(perSec, warmUpSeconds + seconds),
                perSec * warmUpSeconds,
                warmUpSeconds + seconds + 20,
                config);
    }

    /** As fast as it goes. */
    public static LoadSpec saturating(
            String connector,
            String topic,
            Delivery delivery,
            int events,
            int warmUpEvents,
            Map<String, String> config) {
        return new LoadSpec(connector, topic, delivery, UNLIMITED, events, warmUpEvents, 90, config);
    }

    /** The same with one more connector setting. */
    public LoadSpec with(String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(config);
        more.put(key, value);
        return new LoadSpec(
                connector,
                topic,
                delivery,
                rate,
                events,
                warmUpEvents,
                limitSeconds,
                more,
                layout,
                promise,
                coolDownEvents);
    }

    /** Whether any worker has this setting without a line of this project. */
    public boolean isStock() {
        return Settings.isStock(config);
    }

    /** Whether many events lie in each record. */
    boolean isBulk() {
        return Boolean.parseBoolean(config.get("bulk.enabled"));
    }

    /** Where each source partition ends. */
    int eventsPerPartition() {
        return events / layout.sourcePartitions();
    }

    /** Everything that the connector is configured with, for a result: without what differs from run to run. */
    public Map<String, String> settings() {
        Map<String, String> settings = unhostedConfig("");
        settings.keySet().removeAll(OF_A_RUN);
        return hosted(settings);
    }

    /** The connector's whole configuration. */
    public Map<String, String> connectorConfig(String calibrationDirectory) {
        return hosted(unhostedConfig(calibrationDirectory));
    }

    private Map<String, String> unhostedConfig(String calibrationDirectory) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("connector.class", Settings.MICROBATCH);
        all.put("tasks.max", "1");
        all.put("key.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        all.put("value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        all.put("upstream.type", "synthetic");
        all.put("upstream.synthetic.topic", topic);
        all.put("upstream.synthetic.rate", rate);
        all.put("upstream.synthetic.topics", Integer.toString(layout.topics()));
        all.put("upstream.synthetic.partitions", Integer.toString(layout.sourcePartitions()));
        all.put("upstream.synthetic.events.per.partition", Integer.toString(eventsPerPartition()));
        all.put("upstream.synthetic.size.bytes", "100");
        all.put("calibration.directory", calibrationDirectory);
        all.putAll(Settings.SHORT_RUN);
        all.putAll(config);
        return all;
    }

    /** The hosted connector, if there is one, makes the events. */
    private Map<String, String> hosted(Map<String, String> all) {
        if (!Settings.isHosted(config)) {
            return all;
        }
        Map<String, String> hosted = new LinkedHashMap<>();
        all.forEach((key, value) ->
                hosted.put(key.startsWith(GENERATOR_PREFIX) ? Settings.HOSTED_PREFIX + key : key, value));
        return hosted;
    }
}
