package io.microbatch.connect.plugin;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Supplier;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * Converters that may live in any plugin directory, called under their own loader as the worker does. Stateless; any
 * thread.
 */
public final class Plugin {

    private Plugin() {}

    /**
     * An instance of a class that is installed on this worker, wherever.
     *
     * @throws ConnectException if it is not installed, is not of the type, or has no public constructor without arguments
     */
    public static <T> T create(String className, Class<T> type) {
        try {
            Class<?> found = Class.forName(className, true, Plugin.class.getClassLoader());
            return under(found.getClassLoader(), () -> instantiate(found, type));
        } catch (ClassNotFoundException e) {
            throw new ConnectException("The converter " + className + " is not installed on this worker", e);
        }
    }

    private static <T> T instantiate(Class<?> found, Class<T> type) {
        try {
            return type.cast(found.getDeclaredConstructor().newInstance());
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new ConnectException(
                    found.getName() + " cannot be instantiated as a " + type.getSimpleName()
                            + " by a public constructor without arguments",
                    e);
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

    /** Runs the code with this context class loader. */
    public static <T> T under(ClassLoader loader, Supplier<T> code) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        if (before == loader) {
            return code.get();
        }
        thread.setContextClassLoader(loader);
        try {
            return code.get();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
