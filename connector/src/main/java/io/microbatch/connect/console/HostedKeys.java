package io.microbatch.connect.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The names of a connector's keys when it is plain and when this project hosts it. Stateless; any thread. */
public final class HostedKeys {

    private static final String HOSTED_CLASS = ConnectorSettings.HOSTED_PREFIX + "class";

    /** The keys that stay the worker's when a connector is hosted, as docs/operations.md lists them. */
    private static final Pattern WORKER_KEY = Pattern.compile("name|tasks\\.max|tasks\\.max\\.enforce"
            + "|(?:key|value|header)\\.converter(?:\\..*)?|transforms(?:\\..*)?|predicates(?:\\..*)?"
            + "|errors\\.tolerance|errors\\.log\\..*|errors\\.retry\\.timeout|errors\\.retry\\.delay\\.max\\.ms"
            + "|topic\\.creation\\..*|(?:producer|consumer|admin)\\.override\\..*|offsets\\.storage\\.topic"
            + "|exactly\\.once\\.support|transaction\\.boundary(?:\\..*)?|config\\.action\\.reload");

    private HostedKeys() {}

    /** The name of a plain connector's key when it is hosted. Empty for a key that has to go. */
    static String hosted(String key) {
        // It would choose a version of this project's connector and not of the hosted one.
        if (key.equals(ConnectorSettings.PLUGIN_VERSION)) {
            return "";
        }
        if (key.equals(ConnectorSettings.CLASS)) {
            return HOSTED_CLASS;
        }
        return WORKER_KEY.matcher(key).matches() ? key : ConnectorSettings.HOSTED_PREFIX + key;
    }

    /** Whether a plain connector has no setting {@code class} of its own, which would replace its class. */
    public static boolean canBeWrapped(Map<String, String> plain) {
        return !plain.containsKey("class");
    }

    /** Why a plain connector whose version is chosen, or that cannot be wrapped, is not hosted. */
    static String obstacle(Map<String, String> plain) {
        return canBeWrapped(plain)
                ? ConnectorSettings.PLUGIN_VERSION
                        + " chooses its version, and a hosted connector is always of the newest one."
                : "it has a setting of its own with the name class, and upstream.connector.class is taken.";
    }

    /** The configuration that hosts a plain connector that can be wrapped. */
    public static Map<String, String> wrapped(Map<String, String> plain) {
        Map<String, String> hosted = new TreeMap<>();
        plain.forEach((key, value) -> {
            String name = hosted(key);
            if (!name.isEmpty()) {
                hosted.put(name, value);
            }
        });
        hosted.put(ConnectorSettings.CLASS, ConnectorSettings.MICROBATCH_CLASS);
        return hosted;
    }

    /**
     * The configuration of the hosted connector alone. The settings of this project's connector are left out, and so
     * are the keys of {@link #ambiguous}. Converters that the task applies become the worker's again.
     */
    public static Map<String, String> unwrapped(Map<String, String> hosted) {
        Set<String> ambiguous = ambiguous(hosted);
        Map<String, String> plain = new TreeMap<>();
        hosted.forEach((key, value) -> {
            if (key.startsWith(ConnectorSettings.HOSTED_PREFIX) && !ambiguous.contains(key)) {
                plain.put(bare(key), value);
            } else if (WORKER_KEY.matcher(key).matches()) {
                plain.put(key, value);
            }
        });
        plain.remove("class");
        HostedConverters.putInto(plain, hosted);
        plain.put(ConnectorSettings.CLASS, hosted.getOrDefault(HOSTED_CLASS, ""));
        return plain;
    }

    /** What events lose when the connector runs plain, in sentences. */
    public static List<String> losses(Map<String, String> hosted) {
        List<String> losses = new ArrayList<>();
        if (HostedConverters.hasDeadLetters(hosted)) {
            losses.add("deadletter.topic goes: an event that cannot be converted fails the task, or is skipped with "
                    + "errors.tolerance=all. The converters of the task become the worker's, and transforms see what "
                    + "the connector returns.");
        }
        if (HostedConverters.isBulk(hosted)) {
            losses.add("bulk.enabled goes: consumers get a record for each event. The inner converters become the "
                    + "worker's.");
        }
        return losses;
    }

    /** Keys with the prefix that the worker would read for itself without the prefix. */
    public static Set<String> ambiguous(Map<String, String> hosted) {
        Set<String> keys = new TreeSet<>();
        hosted.keySet().stream()
                .filter(key -> key.startsWith(ConnectorSettings.HOSTED_PREFIX))
                .filter(key -> !hosted(bare(key)).equals(key))
                .forEach(keys::add);
        return keys;
    }

    /** The key without the prefix of a hosted connector's settings. */
    public static String bare(String key) {
        return key.startsWith(ConnectorSettings.HOSTED_PREFIX)
                ? key.substring(ConnectorSettings.HOSTED_PREFIX.length())
                : key;
    }

    /** A plain connector's key under the prefix of a hosted connector's settings. */
    public static String prefixed(String key) {
        return ConnectorSettings.HOSTED_PREFIX + key;
    }
}
