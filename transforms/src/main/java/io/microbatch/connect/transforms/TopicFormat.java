package io.microbatch.connect.transforms;

import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigException;

/** Builds a topic's name from the record's topic and the pressure level. Immutable; any thread. */
final class TopicFormat {

    static final String TOPIC = "${topic}";
    static final String LEVEL = "${level}";

    private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]*");

    private final String format;
    private final Pattern produced;

    /**
     * Parses a format.
     *
     * @param key its key, for error messages
     * @param byLevel whether it must contain the level; otherwise it must not
     */
    TopicFormat(String key, String format, boolean byLevel) {
        if (byLevel != format.contains(LEVEL)) {
            throw new ConfigException(
                    byLevel
                            ? key + " is the same for every level: put " + LEVEL + " into it"
                            : key + " must not contain " + LEVEL + ": only its age makes an event late");
        }
        String literal = format.replace(TOPIC, "").replace(LEVEL, "");
        if (!LEGAL.matcher(literal).matches()) {
            throw new ConfigException(key + " may contain only letters, digits, dots, dashes, underscores, " + TOPIC
                    + (byLevel ? " and " + LEVEL : ""));
        }
        if (format.equals(TOPIC) || format.isEmpty()) {
            throw new ConfigException(key + " must name another topic, for example " + TOPIC + "-late");
        }
        this.format = format;
        this.produced =
                Pattern.compile(Pattern.quote(format).replace(TOPIC, "\\E.+\\Q").replace(LEVEL, "\\EL(?:10|[1-9])\\Q"));
    }

    /** The topic for events of this topic, which is returned unchanged if this format has produced it. */
    String of(String topic, int levelNumber) {
        return produced.matcher(topic).matches()
                ? topic
                : format.replace(LEVEL, "L" + levelNumber).replace(TOPIC, topic);
    }
}
