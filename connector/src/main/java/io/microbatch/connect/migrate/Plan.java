package io.microbatch.connect.migrate;

import io.microbatch.connect.console.ConnectorSettings;
import io.microbatch.connect.console.HostedKeys;
import io.microbatch.connect.console.Secrets;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a move would do to a connector, and why it cannot be done. Immutable; any thread. Its text shows no value.
 *
 * @param before the connector now
 * @param target the configuration that it shall have
 * @param problems why there is nothing to execute; empty if it can be done
 * @param notes what an operator should know
 * @param done whether the connector already runs as it shall
 */
record Plan(ConnectorView before, Map<String, String> target, List<String> problems, List<String> notes, boolean done) {

    private static final String NAME = "name";

    /** Makes a plan of the connector's configuration alone. */
    static Plan of(Options options, ConnectorView before) throws IOException {
        List<String> problems = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        ConnectorSettings settings = before.settings();
        if (!before.type().equals("source")) {
            problems.add("It is a " + before.type() + " connector. Only a source connector can be hosted.");
            return new Plan(before, before.config(), problems, notes, false);
        }
        if (settings.isMicrobatch() && !settings.isHosting()) {
            problems.add("It hosts no connector: its upstream.type is " + settings.source() + ".");
            return new Plan(before, before.config(), problems, notes, false);
        }
        // True in both directions where an earlier run has replaced the configuration.
        boolean replaced = settings.isMicrobatch() != options.back();
        boolean done = replaced && before.isRunning();
        addStates(options, before, replaced, problems);
        Map<String, String> target = new TreeMap<>(target(options, before, replaced));
        target.put(NAME, options.connector());
        target.putAll(options.set());
        options.remove().forEach(target::remove);
        if (isMicrobatch(target) == options.back()) {
            problems.add("The new configuration has the class " + target.get(ConnectorSettings.CLASS)
                    + ", which would not move the connector.");
        }
        if (done && !target.equals(before.config())) {
            problems.add("It runs already and has other settings. Change them with PATCH /connectors/<name>/config.");
        }
        if (!replaced) {
            addNotes(options, before.config(), target, problems, notes);
        }
        return new Plan(before, Map.copyOf(target), problems, notes, done);
    }

    private static Map<String, String> target(Options options, ConnectorView before, boolean replaced)
            throws IOException {
        if (options.from().isPresent()) {
            return SavedFiles.readConfig(options.from().get());
        }
        if (replaced) {
            return before.config();
        }
        return options.back() ? HostedKeys.unwrapped(before.config()) : HostedKeys.wrapped(before.config());
    }

    private static void addStates(Options options, ConnectorView before, boolean replaced, List<String> problems) {
        Optional<String> failure = before.failure();
        if (failure.isPresent()) {
            if (!options.back() || replaced) {
                problems.add(failure.get() + " Repair it first"
                        + (replaced && !options.back() ? ", or go back with --back." : "."));
            }
        } else if (before.state().equals(ConnectorView.PAUSED)) {
            problems.add("It is paused. Resume it, or stop it with PUT /connectors/<name>/stop; afterwards it runs.");
        } else if (!before.isRunning() && !before.state().equals(ConnectorView.STOPPED)) {
            problems.add("It is " + before.states() + ". Wait until it runs or is stopped.");
        }
    }

    private static void addNotes(
            Options options,
            Map<String, String> before,
            Map<String, String> target,
            List<String> problems,
            List<String> notes) {
        if (!options.back() && !HostedKeys.canBeWrapped(before)) {
            problems.add("It has a setting of its own with the name class, and upstream.connector.class is taken.");
        }
        if (before.containsKey(ConnectorSettings.PLUGIN_VERSION)) {
            notes.add(ConnectorSettings.PLUGIN_VERSION + " goes: a hosted connector is always of the newest version.");
        }
        if (!options.back() && "interval".equalsIgnoreCase(target.get(ConnectorSettings.BOUNDARY))) {
            notes.add(
                    ConnectorSettings.BOUNDARY + "=interval stays: Connect's clock ends the transactions, and not this "
                            + "connector. Without --remove " + ConnectorSettings.BOUNDARY + " --remove "
                            + ConnectorSettings.BOUNDARY_INTERVAL_MS + " hosting changes little.");
        }
        if (options.back()) {
            HostedKeys.ambiguous(before)
                    .forEach(key -> notes.add(key + " goes: the worker would read " + HostedKeys.bare(key) + "."));
            if (options.from().isEmpty()) {
                notes.addAll(HostedKeys.losses(before));
            }
        }
        String store = "offsets.storage.topic";
        if (!Objects.equals(before.get(store), target.get(store))) {
            problems.add(store + " changes, and with it the place of the offsets.");
        }
    }

    private static boolean isMicrobatch(Map<String, String> config) {
        return new ConnectorSettings(config, ConnectorSettings.FLUSH_MS_DEFAULT).isMicrobatch();
    }

    /** The same with one more reason why it cannot be done. */
    Plan butFor(String problem) {
        List<String> more = new ArrayList<>(problems);
        more.add(problem);
        return new Plan(before, target, more, notes, done);
    }

    /** Whether the configuration is replaced. */
    boolean changes() {
        return !target.equals(before.config());
    }

    /** The class of the connector that reads the source. */
    String sourceClass() {
        return before.settings().sourceClass();
    }

    /**
     * What is secret in the configurations before and after.
     *
     * @param source the passwords of the connector that reads the source
     * @param microbatch the passwords of this project's connector
     */
    static Secrets secrets(Set<String> source, Set<String> microbatch) {
        Set<String> keys = new HashSet<>(microbatch);
        source.forEach(key -> {
            keys.add(key);
            keys.add(HostedKeys.prefixed(key));
        });
        return new Secrets(keys);
    }

    @Override
    public String toString() {
        return "Plan[" + before + "]";
    }
}
