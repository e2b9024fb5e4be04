package io.microbatch.bench.hosting;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** How a connector runs. */
enum Side {
    PLAIN,
    HOSTED;

    private static final String PREFIX = "upstream.connector.";
    private static final String HOST = "io.microbatch.connect.MicrobatchSourceConnector";

    /** As it is printed and as names contain it. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The configuration of a connector.
     *
     * @param own the connector's own settings, its {@code class} among them
     * @param around the worker's settings for it
     */
    Map<String, String> configuration(Map<String, String> own, Map<String, String> around) {
        Map<String, String> config = new HashMap<>(around);
        if (this == HOSTED) {
            own.forEach((key, value) -> config.put(PREFIX + key, value));
            config.put("connector.class", HOST);
        } else {
            config.putAll(own);
            config.put("connector.class", config.remove("class"));
        }
        return config;
    }
}
