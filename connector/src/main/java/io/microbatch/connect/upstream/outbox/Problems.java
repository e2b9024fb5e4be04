package io.microbatch.connect.upstream.outbox;

import java.util.ArrayList;
import java.util.List;

/** What is wrong with a database and its outbox table. One thread. */
final class Problems {

    private final List<Problem> found = new ArrayList<>();

    /** What is wrong, at the key of the setting that names it. */
    record Problem(String key, String text) {}

    /** Nothing but another setting cures it. */
    void add(String key, String text) {
        found.add(new Problem(key, key + " " + text));
    }

    /** These statements cure it. They are behind the only colon with a space. */
    void add(String key, String text, String statements) {
        add(key, text + ": " + statements);
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    List<Problem> all() {
        return List.copyOf(found);
    }
}
