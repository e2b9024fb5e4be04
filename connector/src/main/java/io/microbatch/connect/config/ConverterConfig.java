package io.microbatch.connect.config;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A converter that the task itself uses. Immutable.
 *
 * @param className its class
 * @param settings its own settings
 */
public record ConverterConfig(String className, Map<String, String> settings) {

    /**
     * Reads a converter from a connector's configuration.
     *
     * @param key the key of the class, and the prefix of the settings
     * @param fallback the default class; may be null
     */
    static ConverterConfig of(Map<String, String> properties, String key, String fallback) {
        String prefix = key + ".";
        Map<String, String> settings = new LinkedHashMap<>();
        properties.forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                settings.put(name.substring(prefix.length()), value);
            }
        });
        return new ConverterConfig(properties.getOrDefault(key, fallback), settings);
    }

    /** Omits the settings, which may hold secrets. */
    @Override
    public String toString() {
        return "ConverterConfig[className=" + className + ", " + settings.size() + " settings]";
    }

    /** Whether this worker has the class. The worker that runs the task may be another one. */
    static boolean isInstalled(String className) {
        try {
            Class<?> ignored = Class.forName(className, false, ConverterConfig.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
