package io.microbatch.connect.config;

import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/** The whole configuration: the fragments' keys in one definition, and their typed records. Immutable; any thread. */
public final class MicrobatchConfig extends AbstractConfig {

    /** The internal key of a task's number in its configuration, from 0. */
    public static final String TASK_NUMBER_CONFIG = "microbatch.task.number";

    /** The internal key of the number of a connector's tasks in the configuration of each. */
    public static final String TASK_COUNT_CONFIG = "microbatch.task.count";

    private static final ConfigDef DEFINITION = newDefinition();

    /**
     * Parses and checks each key by itself.
     *
     * @throws org.apache.kafka.common.config.ConfigException if a value is out of its range; the message names the key
     */
    public MicrobatchConfig(Map<String, String> properties) {
        super(DEFINITION, properties, false);
    }

    /** A copy for each caller, because callers can add to a definition. */
    public static ConfigDef definition() {
        return new ConfigDef(DEFINITION);
    }

    private static ConfigDef newDefinition() {
        ConfigDef def = new ConfigDef();
        UpstreamConfig.define(def);
        HostedConfig.define(def);
        HttpConfig.define(def);
        OutboxConfig.define(def);
        SyntheticConfig.define(def);
        BatchConfig.define(def);
        PressureConfig.define(def);
        StripeConfig.define(def);
        BulkConfig.define(def);
        DeadLetterConfig.define(def);
        CalibrationConfig.define(def);
        return def;
    }

    public UpstreamConfig upstream() {
        return UpstreamConfig.from(this);
    }

    /** The HTTP upstream. Only with {@code upstream.type=http}. */
    public HttpConfig http() {
        return HttpConfig.from(this);
    }

    /** The outbox upstream. Only with {@code upstream.type=outbox}. */
    public OutboxConfig outbox() {
        return OutboxConfig.from(this);
    }

    public SyntheticConfig synthetic() {
        return SyntheticConfig.from(this);
    }

    public BatchConfig batch() {
        return BatchConfig.from(this);
    }

    public PressureConfig pressure() {
        return PressureConfig.from(this);
    }

    public StripeConfig stripe() {
        return StripeConfig.from(this);
    }

    /** The packing of events. Empty if each event is a record. */
    public Optional<BulkConfig> bulk() {
        return BulkConfig.from(this);
    }

    /** The handling of events that cannot be delivered. Empty if they fail the task. */
    public Optional<DeadLetterConfig> deadLetter() {
        return DeadLetterConfig.from(this);
    }

    public CalibrationConfig calibration() {
        return CalibrationConfig.from(this);
    }
}
