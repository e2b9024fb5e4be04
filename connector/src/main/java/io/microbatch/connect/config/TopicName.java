package io.microbatch.connect.config;

import java.util.regex.Pattern;

/** The names of topics that an upstream may write to. Stateless; any thread. */
public final class TopicName {

    private static final int MAX_CHARS = 249;
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9._-]+");

    private TopicName() {}

    /** Whether Kafka allows the name, and it is none of the names that Kafka's own topics have. */
    public static boolean isLegal(String name) {
        return isAllowed(name) && !name.startsWith("__");
    }

    /** Whether Kafka allows the name. */
    static boolean isAllowed(String name) {
        return name.length() <= MAX_CHARS && NAME.matcher(name).matches() && !name.equals(".") && !name.equals("..");
    }
}
