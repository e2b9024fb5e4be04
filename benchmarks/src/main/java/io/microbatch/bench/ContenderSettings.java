package io.microbatch.bench;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** What each contender of a comparison is configured with, by its name, for the result. One thread. */
final class ContenderSettings {

    private final Map<String, Map<String, String>> byName = new LinkedHashMap<>();

    /** What a contender has everywhere. The first call for a contender counts. */
    void add(String contender, Map<String, String> settings) {
        byName.putIfAbsent(contender, new TreeMap<>(settings));
    }

    /**
     * What a contender has in a situation. The first situation has the contender's name, and a later one whose settings
     * are others has the situation's text behind it.
     */
    void add(String contender, String situation, Map<String, String> settings) {
        add(contender, settings);
        if (!byName.get(contender).equals(settings)) {
            add(contender + ", " + situation, settings);
        }
    }

    /** By name, in the order of the calls. Empty for a command that compares nothing. */
    Map<String, Map<String, String>> all() {
        return byName;
    }
}
