package io.microbatch.connect.config;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * A lower bound for a number that may also be left out, which {@link ConfigDef.Range} does not allow. Immutable; any
 * thread.
 */
final class OptionalRange implements ConfigDef.Validator {

    private final long least;
    private final String unit;

    private OptionalRange(long least, String unit) {
        this.least = least;
        this.unit = unit;
    }

    static OptionalRange atLeast(long least, String unit) {
        return new OptionalRange(least, unit);
    }

    @Override
    public void ensureValid(String name, Object value) {
        if (value instanceof Number number && number.longValue() < least) {
            throw new ConfigException(
                    name + " must be at least " + least + " " + unit + "; leave it out to have no limit of its own");
        }
    }

    @Override
    public String toString() {
        return "at least " + least + " " + unit + ", or left out";
    }
}
