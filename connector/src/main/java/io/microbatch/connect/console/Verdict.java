package io.microbatch.connect.console;

import java.util.Locale;

/** What an advice amounts to. Constant; any thread. */
enum Verdict {
    /** Nothing to change. */
    LEAVE,
    /** Set or remove the named keys of the connector. */
    SET,
    /** Host the connector in this project's connector. */
    WRAP,
    /** The source, or what reads it, is the limit. */
    LOOK_AT_SOURCE,
    /** The broker is the limit. */
    LOOK_AT_BROKER,
    /** The task itself is the limit, or does not run. */
    LOOK_AT_TASK,
    /** Too little is known yet. */
    WAIT;

    /** The name in JSON, such as {@code look-at-broker}. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
