package io.microbatch.connect.common;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * Classes that may live in any plugin directory, called under their own loader as the worker does. Stateless; any
 * thread.
 */
public final class Plugin {

    private Plugin() {}

    /**
     * A converter that is installed on this worker, wherever.
     *
     * @throws ConnectException if it is not installed, or as {@link #instantiate}
     */
    public static <T> T create(String className, Class<T> type) {
        try {
            Class<?> found = Class.forName(className, false, Plugin.class.getClassLoader());
            requireType(found, type);
            initialize(found);
            return under(found.getClassLoader(), () -> instantiate(found, type));
        } catch (ClassNotFoundException e) {
            throw new ConnectException("The converter " + className + " is not installed on this worker", e);
        } catch (LinkageError e) {
            throw new ConnectException(
                    "The converter " + className + " is not installed on this worker in one piece (" + e + ")", e);
        }
    }

    /**
     * Runs a class's static initializer under its own loader, if it has not run yet. Who loads a class that a user
     * names does so without that, and looks at its type first: a name must not be enough to run code.
     *
     * @throws LinkageError if it cannot be initialized
     */
    public static void initialize(Class<?> found) {
        ClassLoader loader = found.getClassLoader();
        Class<?> ignored = under(loader, () -> {
            try {
                return Class.forName(found.getName(), true, loader);
            } catch (ClassNotFoundException e) {
                throw new NoClassDefFoundError(found.getName());
            }
        });
    }

    /**
     * Runs no code of the class.
     *
     * @throws ConnectException if the class is not of the type
     */
    public static void requireType(Class<?> found, Class<?> type) {
        if (!type.isAssignableFrom(found)) {
            throw new ConnectException("The class " + found.getName() + " is not a " + type.getSimpleName());
        }
    }

    /**
     * A new instance, under whatever context class loader there is. Nothing of a class of another type runs.
     *
     * @throws ConnectException if the class is not of the type or has no public constructor without arguments; with
     *     what that constructor threw
     */
    public static <T> T instantiate(Class<?> found, Class<T> type) {
        requireType(found, type);
        try {
            return type.cast(found.getDeclaredConstructor().newInstance());
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new ConnectException(
                    found.getName() + " cannot be instantiated as a " + type.getSimpleName()
                            + " by a public constructor without arguments",
                    Optional.ofNullable(e.getCause()).orElse(e));
        }
    }

    /**
     * Closes it under its own loader, if this worker's Connect has anything to close: its older converters do not.
     *
     * @throws UncheckedIOException if it throws an {@link IOException}
     */
    public static void close(Object plugin) {
        if (plugin instanceof Closeable closeable) {
            boolean ignored = under(plugin.getClass().getClassLoader(), () -> closed(closeable));
        }
    }

    private static boolean closed(Closeable closeable) {
        try {
            closeable.close();
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs the code with this context class loader, and puts the former one back whatever the code does. */
    public static <T> T under(ClassLoader loader, Supplier<T> code) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return code.get();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
