package io.microbatch.connect.transforms;

import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigException;

/** A topic's name made of another one's and a pressure level. Immutable; any thread. */
final class TopicFormat {

    static final String TOPIC = "${topic}";
    static final String LEVEL = "${level}";

    private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]*");

    private final String format;
    private final Pattern made;

    /**
     * Reads a format.
     *
     * @param key its key, for errors
     * @param byLevel whether it has to tell levels apart; otherwise it may not name one
     */
    TopicFormat(String key, String format, boolean byLevel) {
        if (byLevel != format.contains(LEVEL)) {
            throw new ConfigException(
                    byLevel
                            ? key + " is the same for every level: put " + LEVEL + " into it"
                            : key + " must not contain " + LEVEL + ": a late event goes by its age alone");
        }
        String literal = format.replace(TOPIC, "").replace(LEVEL, "");
        if (!LEGAL.matcher(literal).matches()) {
            throw new ConfigException(key + " may hold letters, digits, dots, dashes, underscores, " + TOPIC
                    + (byLevel ? " and " + LEVEL : "") + ", nothing else");
        }
        if (format.equals(TOPIC) || format.isEmpty()) {
            throw new ConfigException(key + " has to name another topic, for instance " + TOPIC + "-late");
        }
        this.format = format;
        this.made =
                Pattern.compile(Pattern.quote(format).replace(TOPIC, "\\E.+\\Q").replace(LEVEL, "\\EL(?:10|[1-9])\\Q"));
    }

    /** The topic for events of this one; itself, if it has been made by this format already. */
    String of(String topic, int levelNumber) {
        return made.matcher(topic).matches()
                ? topic
                : format.replace(LEVEL, "L" + levelNumber).replace(TOPIC, topic);
    }
}
