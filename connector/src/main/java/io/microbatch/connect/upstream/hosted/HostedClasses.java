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
 * answers with the connector classes that the worker discovered in any plugin directory, so a hosted connector may live
 * in a directory of its own. Stateless; any thread.
 */
final class HostedClasses {

    private static final String INSTALL = "Put its plugin on the worker's plugin.path and restart the worker. ";

    private HostedClasses() {}

    /**
     * The hosted connector, new.
     *
     * @param name of its class, as {@link #connectorClass} finds it
     * @throws ConfigException if there is no such source connector, naming those that there are
     */
    static SourceConnector newConnector(String name) {
        Class<?> found = connectorClass(name);
        try {
            Plugin.initialize(found);
        } catch (LinkageError e) {
            throw notInOnePiece(name, e, InstalledConnectors::find);
        }
        return Plugin.under(found.getClassLoader(), () -> Plugin.instantiate(found, SourceConnector.class));
    }

    private static Class<?> connectorClass(String name) {
        return connectorClass(name, HostedClasses.class.getClassLoader(), InstalledConnectors::find);
    }

    /**
     * The class, of which no code has run: the name comes from whom a worker lets post a configuration. Names are found
     * as Connect finds those in {@code connector.class}: the full name, the simple name, and that without "Connector"
     * at its end.
     *
     * @param loader one that knows of all plugins, and of their aliases: unlike {@link Class#forName}, it may answer
     *     with a class of another name
     * @param installed the names of all source connectors, for what has no alias, and for messages
     * @throws ConfigException if there is no such source connector, or more than one
     */
    static Class<?> connectorClass(String name, ClassLoader loader, Supplier<Optional<SortedSet<String>>> installed) {
        Class<?> found;
        try {
            found = loaded(name, loader, installed);
        } catch (ClassNotFoundException e) {
            throw problem(name + " is not installed on this worker. " + INSTALL, installed);
        } catch (LinkageError e) {
            throw notInOnePiece(name, e, installed);
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
            // An alias is the worker's, who takes the newest of all; by its name, what lies with this plugin comes
            // first.
            return found.getName().equals(name) ? found : loader.loadClass(found.getName());
        } catch (ClassNotFoundException e) {
            // Connect gives no alias that several plugins would share, of whatever type.
            List<String> meant = installed.get().orElseGet(TreeSet::new).stream()
                    .filter(known -> InstalledConnectors.isAlias(name, known))
                    .toList();
            if (meant.size() > 1) {
                throw problem(
                        name + " is ambiguous: write one of these in full: " + String.join(", ", meant) + ". ",
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

    private static ConfigException notInOnePiece(
            String name, LinkageError e, Supplier<Optional<SortedSet<String>>> installed) {
        return problem(name + " is not installed on this worker in one piece (" + e + "). " + INSTALL, installed);
    }

    /** The hosted task, new, from the name that the hosted connector gave. */
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

    /**
     * The loader of the hosted connector named like that.
     *
     * @throws ConnectException if there is no such source connector
     */
    static ClassLoader loaderOf(String name) {
        try {
            return connectorClass(name).getClassLoader();
        } catch (ConfigException e) {
            throw new ConnectException(e.getMessage(), e);
        }
    }
}
