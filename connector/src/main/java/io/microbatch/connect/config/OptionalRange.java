package io.microbatch.connect.config;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** Bounds for an optional number, which {@link ConfigDef.Range} does not support. Immutable; any thread. */
final class OptionalRange implements ConfigDef.Validator {

    private final double min;
    private final double max;
    private final String text;

    private OptionalRange(double min, double max, String text) {
        this.min = min;
        this.max = max;
        this.text = "between " + text;
    }

    /** Both bounds are inclusive. */
    static OptionalRange between(long min, long max, String unit) {
        return new OptionalRange(min, max, min + " and " + max + " " + unit);
    }

    /** Parts of a whole. Both bounds are inclusive. */
    static OptionalRange between(double min, double max) {
        return new OptionalRange(min, max, min + " and " + max);
    }

    @Override
    public void ensureValid(String name, Object value) {
        // Not a number is in no range.
        if (value instanceof Number number && !(number.doubleValue() >= min && number.doubleValue() <= max)) {
            throw new ConfigException(name + " must be " + text + ", or be left out");
        }
    }

    @Override
    public String toString() {
        return text + ", or left out";
    }
}
