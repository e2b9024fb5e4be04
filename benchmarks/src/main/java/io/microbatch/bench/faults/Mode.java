package io.microbatch.bench.faults;

import java.util.Locale;

/** How the workers of a cluster deliver. */
public enum Mode {
    EXACTLY_ONCE,
    AT_LEAST_ONCE;

    /** As it is printed and as names contain it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
