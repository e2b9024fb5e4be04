package io.microbatch.connect.config;

import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Width;

/** The maximum number of a task's reader threads, and the limits of each one's stripe. Immutable; any thread. */
public record StripeConfig(int maxCount, int maxEvents, long maxBytes) {

    static final String GROUP = "Stripes";

    public static final String COUNT_CONFIG = "stripe.count";

    static final String COUNT_DOC =
            "The maximum number of reader threads of a task of the synthetic upstream. Each owns its source partitions "
                    + "and one stripe (a bounded queue), so that order within a source partition is kept. A task of "
                    + "any other upstream has one reader and one stripe.";
    static final int COUNT_DEFAULT = 2;

    public static final String MAX_EVENTS_CONFIG = "stripe.max.events";

    static final String MAX_EVENTS_DOC =
            "The maximum number of events in a stripe. A full stripe blocks its reader; nothing is dropped.";
    static final int MAX_EVENTS_DEFAULT = 32_768;

    public static final String MAX_BYTES_CONFIG = "stripe.max.bytes";

    static final String MAX_BYTES_DOC =
            "The maximum estimated bytes in a stripe. One event that is larger is held alone.";
    static final long MAX_BYTES_DEFAULT = 64L * 1024 * 1024;

    static void define(ConfigDef def) {
        KeyGroup keys = new KeyGroup(def, GROUP);
        keys.add(Importance.LOW, COUNT_CONFIG, "Stripes", COUNT_DOC)
                .takes(Type.INT, COUNT_DEFAULT, Width.SHORT, Range.between(1, 64));
        keys.add(Importance.LOW, MAX_EVENTS_CONFIG, "Maximum events of a stripe", MAX_EVENTS_DOC)
                .takes(Type.INT, MAX_EVENTS_DEFAULT, Width.SHORT, Range.between(2, 1 << 24));
        keys.add(Importance.LOW, MAX_BYTES_CONFIG, "Maximum bytes of a stripe", MAX_BYTES_DOC)
                .takes(Type.LONG, MAX_BYTES_DEFAULT, Width.SHORT, Range.between(64 * 1024, 1L << 34));
    }

    static StripeConfig from(AbstractConfig config) {
        return new StripeConfig(
                config.getInt(COUNT_CONFIG), config.getInt(MAX_EVENTS_CONFIG), config.getLong(MAX_BYTES_CONFIG));
    }
}
