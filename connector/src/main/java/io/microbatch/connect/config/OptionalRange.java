package io.microbatch.connect.config;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** Bounds for an optional number, which {@link ConfigDef.Range} does not support. Immutable; any thread. */
final class OptionalRange implements ConfigDef.Validator {

    private final long min;
    private final long max;
    private final String unit;

    private OptionalRange(long min, long max, String unit) {
        this.min = min;
        this.max = max;
        this.unit = unit;
    }

    /** Both bounds are inclusive. */
    static OptionalRange between(long min, long max, String unit) {
        return new OptionalRange(min, max, unit);
    }

    @Override
    public void ensureValid(String name, Object value) {
        if (value instanceof Number number && (number.longValue() < min || number.longValue() > max)) {
            throw new ConfigException(
                    name + " must be between " + min + " and " + max + " " + unit + ", or be left out");
        }
    }

    @Override
    public String toString() {
        return "between " + min + " and " + max + " " + unit + ", or left out";
    }
}
