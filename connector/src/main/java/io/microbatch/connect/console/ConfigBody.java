package io.microbatch.connect.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The bodies of the requests that apply a {@link Change}. No literal secret is in them: in a body for {@code PUT},
 * which holds the whole configuration, a text that says so stands in its place. Immutable; any thread.
 *
 * @param patch the body for {@code PATCH /connectors/<name>/config}: a null removes a key. Null where a whole
 *     configuration is needed, because keys change their names and with them hidden values.
 * @param put the body for {@code PUT /connectors/<name>/config}
 * @param hidden the keys of the body for {@code PUT} whose values have to be inserted
 */
record ConfigBody(Map<String, String> patch, Map<String, String> put, List<String> hidden) {

    /** What stands in the place of a secret. No connector accepts it by accident as a whole configuration. */
    static final String HIDDEN = "<insert the value>";

    /**
     * Makes the bodies.
     *
     * @param settings the present configuration
     * @param change what the advice changes
     * @param secrets what is hidden, by the keys of the present configuration
     */
    static ConfigBody of(ConnectorSettings settings, Change change, Secrets secrets) {
        Map<String, String> put = new TreeMap<>();
        List<String> hidden = new ArrayList<>();
        new TreeMap<>(settings.config()).forEach((key, value) -> {
            String name = change.wraps() ? HostedKeys.hosted(key) : key;
            if (name.isEmpty() || change.removed().contains(name)) {
                return;
            }
            boolean hides = secrets.hides(key, value);
            put.put(name, hides ? HIDDEN : value);
            if (hides) {
                hidden.add(name);
            }
        });
        if (change.wraps()) {
            put.put(ConnectorSettings.CLASS, ConnectorSettings.MICROBATCH_CLASS);
        }
        put.putAll(change.set());
        hidden.removeAll(change.set().keySet());
        return new ConfigBody(change.wraps() ? null : patch(settings, change), put, List.copyOf(hidden));
    }

    private static Map<String, String> patch(ConnectorSettings settings, Change change) {
        Map<String, String> patch = new TreeMap<>(change.set());
        change.removed().stream()
                .filter(key -> settings.config().containsKey(key))
                .forEach(key -> patch.put(key, null));
        return patch;
    }
}
