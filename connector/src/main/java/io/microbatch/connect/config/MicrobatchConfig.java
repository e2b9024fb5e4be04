package io.microbatch.connect.config;

import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * The whole configuration: the fragments' keys in one definition, and their typed records. Immutable; any thread.
 */
public final class MicrobatchConfig extends AbstractConfig {

    /** The key of a task's number in its configuration, from 0; internal. */
    public static final String TASK_NUMBER_CONFIG = "microbatch.task.number";

    private static final ConfigDef DEFINITION = newDefinition();

    /**
     * Parses and checks each key by itself.
     *
     * @throws org.apache.kafka.common.config.ConfigException if a value is out of its range; the message names the key
     */
    public MicrobatchConfig(Map<String, String> properties) {
        super(DEFINITION, properties, false);
    }

    /** A definition of its own for each caller, since definitions can be added to. */
    public static ConfigDef definition() {
        return new ConfigDef(DEFINITION);
    }

    private static ConfigDef newDefinition() {
        ConfigDef def = new ConfigDef();
        UpstreamConfig.define(def);
        HostedConfig.define(def);
        SyntheticConfig.define(def);
        BatchConfig.define(def);
        PressureConfig.define(def);
        StripeConfig.define(def);
        BulkConfig.define(def);
        DeadLetterConfig.define(def);
        CalibrationConfig.define(def);
        return def;
    }

    /** Which upstream. */
    public UpstreamConfig upstream() {
        return UpstreamConfig.from(this);
    }

    /** What the synthetic upstream generates. */
    public SyntheticConfig synthetic() {
        return SyntheticConfig.from(this);
    }

    /** When a batch is ready. */
    public BatchConfig batch() {
        return BatchConfig.from(this);
    }

    /** How pressure is observed. */
    public PressureConfig pressure() {
        return PressureConfig.from(this);
    }

    /** How much is held. */
    public StripeConfig stripe() {
        return StripeConfig.from(this);
    }

    /** How events are packed; empty if each is a record. */
    public Optional<BulkConfig> bulk() {
        return BulkConfig.from(this);
    }

    /** Where events go that cannot be delivered; empty if they are to fail the task. */
    public Optional<DeadLetterConfig> deadLetter() {
        return DeadLetterConfig.from(this);
    }

    /** Where calibration is kept. */
    public CalibrationConfig calibration() {
        return CalibrationConfig.from(this);
    }
}
