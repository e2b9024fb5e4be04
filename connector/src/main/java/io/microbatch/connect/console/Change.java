package io.microbatch.connect.console;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What an advice changes in a configuration. Immutable; any thread.
 *
 * @param set the keys that get a value, in the order of their importance
 * @param removed the keys that are removed
 * @param wraps whether the connector becomes the hosted connector of this project's connector; {@code set} and
 *     {@code removed} apply afterwards
 */
record Change(Map<String, String> set, Set<String> removed, boolean wraps) {

    /** Changes nothing. */
    static final Change NONE = new Change(Map.of(), Set.of(), false);

    Change {
        set = Collections.unmodifiableMap(new LinkedHashMap<>(set));
        removed = Collections.unmodifiableSet(new TreeSet<>(removed));
    }

    boolean isNone() {
        return set.isEmpty() && removed.isEmpty() && !wraps;
    }

    /** Sets some keys. */
    static Change setting(Map<String, String> keys) {
        return new Change(keys, Set.of(), false);
    }

    /** Removes some keys. */
    static Change removing(Set<String> keys) {
        return new Change(Map.of(), keys, false);
    }

    /** Sets these keys too. */
    Change andSetting(Map<String, String> keys) {
        Map<String, String> all = new LinkedHashMap<>(set);
        all.putAll(keys);
        return new Change(all, removed, wraps);
    }

    /** Hosts the connector, with settings of the new connector. Connect's boundary then has no use. */
    static Change wrapping(Map<String, String> keys) {
        return new Change(keys, Set.of(ConnectorSettings.BOUNDARY, ConnectorSettings.BOUNDARY_INTERVAL_MS), true);
    }
}
