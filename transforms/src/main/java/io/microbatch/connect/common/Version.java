package io.microbatch.connect.common;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this plugin, from a resource that the build writes. Stateless; any thread. */
public final class Version {

    private static final String CURRENT = read();

    private Version() {}

    /** The version that each plugin class reports to the worker. */
    public static String current() {
        return CURRENT;
    }

    private static String read() {
        try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
