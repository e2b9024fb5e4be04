package io.microbatch.connect.config;

import java.util.Locale;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.apache.kafka.common.config.ConfigException;

/** What the synthetic upstream generates, as the keys describe it. Immutable; any thread. */
public record SyntheticConfig(
        String topic,
        int topics,
        int partitions,
        RateCurve rateCurve,
        long startEpochMs,
        long eventsPerPartition,
        int minBytes,
        int maxBytes,
        boolean compressible,
        long seed) {

    static final String GROUP = "Synthetic upstream";
    static final String PREFIX = "upstream.synthetic.";

    public static final String TOPIC_CONFIG = PREFIX + "topic";

    static final String TOPIC_DOC = "The topic of the generated events.";

    public static final String TOPICS_CONFIG = PREFIX + "topics";

    static final String TOPICS_DOC =
            "The number of topics over which the source partitions are distributed. With more than one, "
                    + "source partition n goes to the topic named by upstream.synthetic.topic, '-', and the remainder "
                    + "of n divided by this number.";

    public static final String PARTITIONS_CONFIG = PREFIX + "partitions";

    static final String PARTITIONS_DOC =
            "The number of source partitions that the connector generates, each with its own sequence and "
                    + "offset. They are distributed over the tasks, and within a task over the stripes (reader "
                    + "threads).";

    /** The size of an event's header in bytes, which is the minimum size of a value. */
    public static final int MIN_BYTES = 40;

    static final int MAX_BYTES = 64 * 1024 * 1024;

    public static final String RATE_CONFIG = PREFIX + "rate";

    static final String RATE_DOC =
            "The rate of the whole connector in events per second, open loop: a number such as '1000', or "
                    + "steps such as '10@5s,1000@10s,50000@2s'. The last rate continues after the last step. 0 is as "
                    + "fast as possible.";

    public static final String START_CONFIG = PREFIX + "start.epoch.ms";

    static final String START_DOC =
            "The start of the rate curve, in milliseconds since 1970. Events that become due while no task "
                    + "runs wait as a backlog for the next task. With 0 the curve starts again at each start of a "
                    + "task.";

    public static final String EVENTS_CONFIG = PREFIX + "events.per.partition";

    static final String EVENTS_DOC = "The number of events after which each source partition ends; 0 for no end.";

    public static final String SIZE_CONFIG = PREFIX + "size.bytes";

    static final String SIZE_DOC =
            "The size of an event's value in bytes: one number, or a range such as '64-1024' with evenly "
                    + "distributed sizes. "
                    + MIN_BYTES
                    + " bytes of it are the header of the event.";

    public static final String PAYLOAD_CONFIG = PREFIX + "payload";

    static final String PAYLOAD_DOC =
            "'random' fills events with bytes that do not compress, 'compressible' with words.";

    public static final String SEED_CONFIG = PREFIX + "seed";

    static final String SEED_DOC =
            "The seed of the event contents. With the same seed, event number i of a source partition has the "
                    + "same bytes.";

    static void define(ConfigDef def) {
        KeyGroup keys = new KeyGroup(def, GROUP);
        keys.add(Importance.HIGH, TOPIC_CONFIG, "Topic", TOPIC_DOC).takes(Type.STRING, null, Width.MEDIUM);
        keys.add(Importance.LOW, TOPICS_CONFIG, "Topics", TOPICS_DOC)
                .takes(Type.INT, 1, Width.SHORT, Range.between(1, 10_000));
        keys.add(Importance.MEDIUM, PARTITIONS_CONFIG, "Source partitions", PARTITIONS_DOC)
                .takes(Type.INT, 1, Width.SHORT, Range.between(1, 100_000));
        keys.add(Importance.MEDIUM, RATE_CONFIG, "Rate (events/s)", RATE_DOC)
                .takes(Type.STRING, "1000", Width.MEDIUM, RateCurve.validator());
        keys.add(Importance.LOW, START_CONFIG, "Start of the rate (ms since 1970)", START_DOC)
                .takes(Type.LONG, 0L, Width.MEDIUM, Range.atLeast(0));
        keys.add(Importance.LOW, EVENTS_CONFIG, "Events per source partition", EVENTS_DOC)
                .takes(Type.LONG, 0L, Width.SHORT, Range.atLeast(0));
        keys.add(Importance.LOW, SIZE_CONFIG, "Size (bytes)", SIZE_DOC)
                .takes(Type.STRING, "100", Width.SHORT, sizeValidator());
        keys.add(Importance.LOW, PAYLOAD_CONFIG, "Payload", PAYLOAD_DOC).takesOneOf("random", "compressible");
        keys.add(Importance.LOW, SEED_CONFIG, "Seed", SEED_DOC).takes(Type.LONG, 1L, Width.SHORT);
    }

    public String topicOf(int partition) {
        return topics == 1 ? topic : topic + "-" + partition % topics;
    }

    static SyntheticConfig from(AbstractConfig config) {
        int[] size = sizeRange(config.getString(SIZE_CONFIG));
        return new SyntheticConfig(
                config.getString(TOPIC_CONFIG),
                config.getInt(TOPICS_CONFIG),
                config.getInt(PARTITIONS_CONFIG),
                RateCurve.parse(config.getString(RATE_CONFIG)),
                config.getLong(START_CONFIG),
                config.getLong(EVENTS_CONFIG),
                size[0],
                size[1],
                "compressible".equals(config.getString(PAYLOAD_CONFIG).toLowerCase(Locale.ROOT)),
                config.getLong(SEED_CONFIG));
    }

    private static ConfigDef.Validator sizeValidator() {
        return ConfigDef.LambdaValidator.with(
                SyntheticConfig::ensureSize, () -> MIN_BYTES + " to " + MAX_BYTES + ", or a range in between");
    }

    private static void ensureSize(String name, Object value) {
        try {
            int[] range = sizeRange((String) value);
            if (range[0] < MIN_BYTES || range[1] < range[0] || range[1] > MAX_BYTES) {
                throw new IllegalArgumentException("out of range");
            }
        } catch (IllegalArgumentException e) {
            throw new ConfigException(name + " must be a number of bytes from " + MIN_BYTES + " to " + MAX_BYTES
                    + ", or a range of them such as '64-1024'");
        }
    }

    private static int[] sizeRange(String text) {
        int dash = text.indexOf('-');
        if (dash < 0) {
            int size = Integer.parseInt(text.trim());
            return new int[] {size, size};
        }
        return new int[] {
            Integer.parseInt(text.substring(0, dash).trim()),
            Integer.parseInt(text.substring(dash + 1).trim())
        };
    }
}
