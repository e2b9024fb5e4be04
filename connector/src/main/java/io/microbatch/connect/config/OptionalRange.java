package io.microbatch.connect.config;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** A lower bound for an optional number, which {@link ConfigDef.Range} does not support. Immutable; any thread. */
final class OptionalRange implements ConfigDef.Validator {

    private final long min;
    private final String unit;

    private OptionalRange(long min, String unit) {
        this.min = min;
        this.unit = unit;
    }

    static OptionalRange atLeast(long min, String unit) {
        return new OptionalRange(min, unit);
    }

    @Override
    public void ensureValid(String name, Object value) {
        if (value instanceof Number number && number.longValue() < min) {
            throw new ConfigException(name + " must be at least " + min + " " + unit + ", or be left out");
        }
    }

    @Override
    public String toString() {
        return "at least " + min + " " + unit + ", or left out";
    }
}
