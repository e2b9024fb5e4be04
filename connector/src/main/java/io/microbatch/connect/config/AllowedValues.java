package io.microbatch.connect.config;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** Validators whose message names what is allowed and not the value, which may be a secret. Stateless; any thread. */
final class AllowedValues {

    private AllowedValues() {}

    /** A test of a value that is not null. */
    @FunctionalInterface
    interface Test {
        /** Whether the value is allowed. An IllegalArgumentException is a no. */
        boolean allows(Object value);
    }

    /** A validator that allows null, and values that pass the test. */
    static ConfigDef.Validator where(String allowed, Test test) {
        return ConfigDef.LambdaValidator.with(
                (name, value) -> {
                    boolean fits;
                    try {
                        fits = value == null || test.allows(value);
                    } catch (IllegalArgumentException e) {
                        fits = false;
                    }
                    if (!fits) {
                        throw new ConfigException(name + " must be: " + allowed);
                    }
                },
                () -> allowed);
    }
}
