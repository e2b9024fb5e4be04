package io.microbatch.connect.config;

import java.util.Map;

/** The class and the settings of a converter that the task itself uses. Immutable. */
public record ConverterConfig(String className, Map<String, String> settings) {

    /**
     * Reads a converter from a connector's configuration. The key of the class is the prefix of the settings. The
     * default class, which a blank value means too, may be null.
     */
    static ConverterConfig of(Map<String, String> properties, String key, String fallback) {
        String className = WorkerKeys.isBlank(properties, key)
                ? fallback
                : properties.get(key).trim();
        return new ConverterConfig(className, WorkerKeys.withoutPrefix(properties, key + "."));
    }

    /** Omits the settings, which may hold secrets. */
    @Override
    public String toString() {
        return "ConverterConfig[className=" + className + ", " + settings.size() + " settings]";
    }

    /** Whether this worker has the class, or one of this alias. The worker that runs the task may be another one. */
    static boolean isInstalled(String className) {
        try {
            // Unlike Class.forName it may return a class of another name.
            Class<?> ignored = ConverterConfig.class.getClassLoader().loadClass(className.trim());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
