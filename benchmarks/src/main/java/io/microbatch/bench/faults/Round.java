package io.microbatch.bench.faults;

import java.util.List;

/**
 * One stream of events from its beginning to its end, and what happens meanwhile, in this order.
 *
 * @param planted whether the plugin is given bugs instead, which the oracle has to see
 */
record Round(Mode mode, Source source, List<Fault> faults, boolean planted) {

    /** Where the events come from. */
    enum Source {
        SYNTHETIC,
        FILE,
        POSTGRES;

        String text() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }
}
