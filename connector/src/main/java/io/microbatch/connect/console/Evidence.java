package io.microbatch.connect.console;

import java.util.ArrayList;
import java.util.List;

/**
 * A number that an advice rests on. Immutable; any thread.
 *
 * @param what what the number is, in words
 * @param value the number
 * @param unit its unit; empty for a ratio
 */
record Evidence(String what, double value, String unit) {

    /** Collects the numbers that are known. One thread. */
    static final class Collector {

        private final List<Evidence> known = new ArrayList<>();

        Collector add(String what, double value, String unit) {
            if (Double.isFinite(value)) {
                known.add(new Evidence(what, value, unit));
            }
            return this;
        }

        List<Evidence> list() {
            return List.copyOf(known);
        }
    }
}
