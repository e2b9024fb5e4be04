package io.microbatch.connect.common;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * Loads and runs classes of any plugin directory under their own class loader, as the worker does. Stateless; any
 * thread.
 */
public final class Plugin {

    private Plugin() {}

    /**
     * Creates a converter from any plugin directory of this worker, by its class name or by Connect's alias for it.
     *
     * @throws ConnectException if it is not installed, and as {@link #instantiate}
     */
    public static <T> T create(String className, Class<T> type) {
        try {
            // Unlike Class.forName it may return a class of another name.
            Class<?> found = Plugin.class.getClassLoader().loadClass(className);
            requireType(found, type);
            initialize(found);
            return under(found.getClassLoader(), () -> instantiate(found, type));
        } catch (ClassNotFoundException e) {
            throw new ConnectException("The converter " + className + " is not installed on this worker", e);
        } catch (LinkageError e) {
            throw new ConnectException(
                    "The converter " + className + " is not completely installed on this worker (" + e + ")", e);
        }
    }

    /**
     * Runs a class's static initializer under its own loader, if it has not run yet. A class that a user names is
     * loaded uninitialized and its type is checked first, because a name alone must not run code.
     *
     * @throws LinkageError if the class cannot be initialized
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
     * Checks a class's type without running its code.
     *
     * @throws ConnectException if the class is not of the type
     */
    public static void requireType(Class<?> found, Class<?> type) {
        if (!type.isAssignableFrom(found)) {
            throw new ConnectException("The class " + found.getName() + " is not a " + type.getSimpleName());
        }
    }

    /**
     * Creates an instance under the current context class loader. Does not run code of a class of another type.
     *
     * @throws ConnectException if the class is not of the type, has no public constructor without arguments, or that
     *     constructor throws; its exception is the cause
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
     * Closes a plugin under its own loader, if it is {@link Closeable}. Converters of older workers are not.
     *
     * @throws UncheckedIOException if the plugin throws an {@link IOException}
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

    /** Runs the code with this context class loader and always restores the former one. */
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
