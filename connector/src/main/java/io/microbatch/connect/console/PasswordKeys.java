package io.microbatch.connect.console;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The settings that connectors define as passwords. A worker is asked for the definition, because the console cannot
 * load other plugins. Any thread.
 */
final class PasswordKeys {

    private static final int MAX_CLASSES = 500;

    /** How long nobody is asked again where there was no answer: many tasks would wait for the same one. */
    private static final long PAUSE_MS = 10_000;

    private final Peers workers;
    private final Map<String, Set<String>> byClass = new ConcurrentHashMap<>();
    /** Classes for which there was no definition, with the time of the question. */
    private final Map<String, Long> unanswered = new ConcurrentHashMap<>();

    PasswordKeys(Peers workers) {
        this.workers = workers;
    }

    /**
     * The keys of a configuration that its connector, or the hosted one, defines as passwords. Empty if a definition is
     * not known: what is a password is not known then.
     *
     * @param worker the address of any worker of the cluster
     */
    Optional<Set<String>> of(ConnectorSettings settings, String worker, Caller caller) throws InterruptedException {
        Optional<Set<String>> own = ofClass(settings.className(), worker, caller);
        if (own.isEmpty() || !settings.isMicrobatch() || settings.sourceClass().isEmpty()) {
            return own;
        }
        Optional<Set<String>> hosted = ofClass(settings.sourceClass(), worker, caller);
        if (hosted.isEmpty()) {
            return hosted;
        }
        Set<String> all = new HashSet<>(own.get());
        hosted.get().forEach(key -> all.add(ConnectorSettings.HOSTED_PREFIX + key));
        return Optional.of(all);
    }

    private Optional<Set<String>> ofClass(String name, String worker, Caller caller) throws InterruptedException {
        Set<String> known = byClass.get(name);
        if (known != null) {
            return Optional.of(known);
        }
        if (isPaused(name)) {
            return Optional.empty();
        }
        String path = RestPath.ofPlugin(name, "/config");
        Peers.Answer answer = workers.ask(worker, path, caller);
        if (!(answer.body() instanceof List<?> keys)) {
            // A worker that says nothing is left out for whatever class. One that does not know a class says so. One
            // that was not asked costs no time, and can be asked for the next caller.
            if (!answer.isSilent() && !answer.isWithheld()) {
                pause(name);
            }
            return Optional.empty();
        }
        Set<String> passwords = new HashSet<>();
        for (Object key : keys) {
            Map<String, Object> definition = Json.object(key);
            if ("PASSWORD".equals(definition.get("type"))) {
                passwords.add(String.valueOf(definition.get("name")));
            }
        }
        if (byClass.size() < MAX_CLASSES) {
            byClass.put(name, Set.copyOf(passwords));
        }
        return Optional.of(passwords);
    }

    private boolean isPaused(String name) {
        Long askedMs = unanswered.get(name);
        return askedMs != null && System.currentTimeMillis() - askedMs < PAUSE_MS;
    }

    private void pause(String name) {
        if (unanswered.size() >= MAX_CLASSES) {
            unanswered.clear();
        }
        unanswered.put(name, System.currentTimeMillis());
    }
}
