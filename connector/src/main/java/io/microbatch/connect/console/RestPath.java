package io.microbatch.connect.console;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** The paths of Connect's REST interface, with names encoded. Stateless; any thread. */
public final class RestPath {

    private RestPath() {}

    /**
     * The path of a connector.
     *
     * @param rest what follows the connector's name, such as {@code /status}; may be empty
     */
    public static String ofConnector(String name, String rest) {
        return "/connectors/" + encoded(name) + rest;
    }

    /**
     * The path of a connector's class.
     *
     * @param rest what follows the class, such as {@code /config}; may be empty
     */
    public static String ofPlugin(String className, String rest) {
        return "/connector-plugins/" + encoded(className) + rest;
    }

    /** A part of a path, or a value of a query. A space is %20, which both read. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
