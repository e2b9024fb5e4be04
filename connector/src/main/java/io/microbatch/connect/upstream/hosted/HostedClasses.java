package io.microbatch.connect.upstream.hosted;

import io.microbatch.connect.common.Plugin;
import io.microbatch.connect.config.HostedConfig;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceConnector;
import org.apache.kafka.connect.source.SourceTask;

/**
 * Finds and instantiates hosted classes, and runs their code under their own loader. The parent of a plugin's loader
 * returns the connector classes of all plugin directories, so that a hosted connector may have a directory of its own.
 * Stateless; any thread.
 */
final class HostedClasses {

    private static final String INSTALL = "Put its plugin on the worker's plugin.path and restart the worker. ";

    private HostedClasses() {}

    /**
     * Creates the hosted connector with this class name, see {@link #connectorClass}. Throws ConfigException, with the
     * names of the installed connectors, if there is none.
     */
    static SourceConnector newConnector(String name) {
        Class<?> found = connectorClass(name);
        try {
            Plugin.initialize(found);
        } catch (LinkageError e) {
            throw notCompletelyInstalled(name, e, InstalledConnectors::find);
        }
        return Plugin.under(found.getClassLoader(), () -> Plugin.instantiate(found, SourceConnector.class));
    }

    private static Class<?> connectorClass(String name) {
        return connectorClass(name, HostedClasses.class.getClassLoader(), InstalledConnectors::find);
    }

    /**
     * Finds the class without running its code, because the name comes from a user. The name may be the full name, the
     * simple name, or the simple name without "Connector", as in {@code connector.class}.
     *
     * @param loader knows all plugins and their aliases; unlike {@link Class#forName}, it may return a class of another
     *     name
     * @param installed the names of all source connectors, for names without an alias and for messages
     * @throws ConfigException if there is no such source connector, or more than one
     */
    static Class<?> connectorClass(String name, ClassLoader loader, Supplier<Optional<SortedSet<String>>> installed) {
        Class<?> found;
        try {
            found = loaded(name, loader, installed);
        } catch (ClassNotFoundException e) {
            ConfigException missing = problem(name + " is not installed on this worker. " + INSTALL, installed);
            missing.initCause(e);
            throw missing;
        } catch (LinkageError e) {
            throw notCompletelyInstalled(name, e, installed);
        }
        if (!SourceConnector.class.isAssignableFrom(found)) {
            throw problem("the class " + name + " is not a source connector. ", installed);
        }
        return found;
    }

    private static Class<?> loaded(String name, ClassLoader loader, Supplier<Optional<SortedSet<String>>> installed)
            throws ClassNotFoundException {
        try {
            Class<?> found = loader.loadClass(name);
            // For an alias the worker returns the newest version. For the full name the version in this plugin's
            // directory comes first.
            return found.getName().equals(name) ? found : loader.loadClass(found.getName());
        } catch (ClassNotFoundException e) {
            // Connect has no alias for a name that several plugins share.
            List<String> meant = installed.get().orElseGet(TreeSet::new).stream()
                    .filter(known -> InstalledConnectors.isAlias(name, known))
                    .toList();
            if (meant.size() > 1) {
                throw problem(
                        name + " is ambiguous: use one of these full names: " + String.join(", ", meant) + ". ",
                        installed);
            }
            if (meant.isEmpty()) {
                throw e;
            }
            return loader.loadClass(meant.get(0));
        }
    }

    private static ConfigException problem(String problem, Supplier<Optional<SortedSet<String>>> installed) {
        return new ConfigException(HostedConfig.CLASS_CONFIG + ": " + problem
                + installed
                        .get()
                        .map(names -> "Source connectors installed with this one: " + String.join(", ", names) + ".")
                        .orElse("GET /connector-plugins lists what is installed."));
    }

    private static ConfigException notCompletelyInstalled(
            String name, LinkageError e, Supplier<Optional<SortedSet<String>>> installed) {
        ConfigException incomplete =
                problem(name + " is not completely installed on this worker (" + e + "). " + INSTALL, installed);
        incomplete.initCause(e);
        return incomplete;
    }

    /** Creates the hosted task from the class name that the hosted connector gave. */
    static SourceTask newTask(String className, ClassLoader loader) {
        try {
            Class<?> found = Class.forName(className, false, loader);
            Plugin.requireType(found, SourceTask.class);
            Plugin.initialize(found);
            return Plugin.under(loader, () -> Plugin.instantiate(found, SourceTask.class));
        } catch (ClassNotFoundException | LinkageError e) {
            throw new ConnectException("The hosted connector's task class " + className + " cannot be loaded", e);
        }
    }

    /** The loader of the hosted connector with this name. Throws ConnectException if there is none. */
    static ClassLoader loaderOf(String name) {
        try {
            return connectorClass(name).getClassLoader();
        } catch (ConfigException e) {
            throw new ConnectException(e.getMessage(), e);
        }
    }
}
