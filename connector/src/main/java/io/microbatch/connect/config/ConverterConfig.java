package io.microbatch.connect.config;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A converter that the task itself converts with. Immutable.
 *
 * @param className its class
 * @param settings its own settings
 */
public record ConverterConfig(String className, Map<String, String> settings) {

    /**
     * Out of a connector's configuration.
     *
     * @param key of the class; the settings follow under it
     * @param fallback the class where there is none
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

    /** Without the settings, which may hold secrets. */
    @Override
    public String toString() {
        return "ConverterConfig[className=" + className + ", " + settings.size() + " settings]";
    }

    /** Whether the worker that validates has the class. */
    static boolean isInstalled(String className) {
        try {
            Class<?> ignored = Class.forName(className, false, ConverterConfig.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
