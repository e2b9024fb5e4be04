package io.microbatch.connect.console;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the producer of a connector has from its worker: the worker's own settings of producers, and which of them a
 * connector may override. Keys are those of a producer, without a prefix. Immutable; any thread.
 *
 * @param settings the worker's {@code producer.} settings that advice needs
 * @param allowed the keys that a connector may override; empty if it may override all
 */
public record WorkerProducer(Map<String, String> settings, Optional<Set<String>> allowed) {

    /** A worker without settings of producers and with the default policy, which allows all overrides. */
    public static final WorkerProducer DEFAULT = new WorkerProducer(Map.of(), Optional.empty());

    /** Copies the settings. */
    public WorkerProducer {
        settings = Map.copyOf(settings);
        allowed = allowed.map(Set::copyOf);
    }

    /** Whether a connector may have {@code producer.override.<key>}. */
    boolean allows(String key) {
        return allowed.map(keys -> keys.contains(key)).orElse(true);
    }
}
