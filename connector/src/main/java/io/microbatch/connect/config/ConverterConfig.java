package io.microbatch.connect.config;

import java.util.Map;

/** The class and the settings of a converter that the task itself uses. Immutable. */
public record ConverterConfig(String className, Map<String, String> settings) {

    /**
     * Reads a converter from a connector's configuration. The key of the class is the prefix of the settings. The
     * default class may be null.
     */
    static ConverterConfig of(Map<String, String> properties, String key, String fallback) {
        return new ConverterConfig(
                properties.getOrDefault(key, fallback), WorkerKeys.withoutPrefix(properties, key + "."));
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
