package io.microbatch.connect.migrate;

import io.microbatch.connect.console.HostedKeys;
import io.microbatch.connect.console.Secrets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** A configuration before and after a change, line by line and without secrets. Stateless; any thread. */
final class ConfigDiff {

    /** What stands in the place of a secret. */
    static final String HIDDEN = "(hidden)";

    /** A key follows itself under its other name. */
    private static final Comparator<String> ORDER =
            Comparator.comparing(HostedKeys::bare).thenComparing(Comparator.naturalOrder());

    private ConfigDiff() {}

    /** Lines that begin with {@code -} for what goes, {@code +} for what comes, and a blank for what stays. */
    static List<String> lines(Map<String, String> before, Map<String, String> after, Secrets secrets) {
        SortedSet<String> keys = new TreeSet<>(ORDER);
        keys.addAll(before.keySet());
        keys.addAll(after.keySet());
        List<String> lines = new ArrayList<>();
        for (String key : keys) {
            String old = before.get(key);
            String value = after.get(key);
            if (old != null && old.equals(value)) {
                lines.add("  " + key + " = " + shown(key, value, secrets));
                continue;
            }
            if (old != null) {
                lines.add("- " + key + " = " + shown(key, old, secrets));
            }
            if (value != null) {
                lines.add("+ " + key + " = " + shown(key, value, secrets));
            }
        }
        return lines;
    }

    private static String shown(String key, String value, Secrets secrets) {
        return secrets.hides(key, value) ? HIDDEN : value;
    }
}
