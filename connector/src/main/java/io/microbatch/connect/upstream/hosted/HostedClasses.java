package io.microbatch.connect.upstream.hosted;

import io.microbatch.connect.plugin.Plugin;
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

    private static final String DEBEZIUM_TASK = "io.debezium.connector.common.BaseSourceTask";

    private static final String INSTALL = "Put its plugin on the worker's plugin.path and restart the worker. ";

    private HostedClasses() {}

    /**
     * The hosted connector, new.
     *
     * @throws ConfigException if there is no such source connector, naming those that there are
     */
    static SourceConnector newConnector(String className) {
        Class<?> found = connectorClass(className);
        try {
            Plugin.initialize(found);
        } catch (LinkageError e) {
            throw notInOnePiece(className, e);
        }
        return Plugin.under(found.getClassLoader(), () -> Plugin.instantiate(found, SourceConnector.class));
    }

    /** The class, of which no code has run: the name comes from whoever may post a configuration. */
    private static Class<?> connectorClass(String className) {
        Class<?> found;
        try {
            found = HostedClasses.class.getClassLoader().loadClass(className);
        } catch (ClassNotFoundException e) {
            throw new ConfigException(
                    "The class " + className + " is not installed on this worker. " + INSTALL + installed());
        } catch (LinkageError e) {
            throw notInOnePiece(className, e);
        }
        if (!SourceConnector.class.isAssignableFrom(found)) {
            throw new ConfigException("The class " + className + " is not a source connector. " + installed());
        }
        return found;
    }

    private static ConfigException notInOnePiece(String className, LinkageError e) {
        return new ConfigException("The class " + className + " is not installed on this worker in one piece (" + e
                + "). " + INSTALL + installed());
    }

    private static String installed() {
        return InstalledConnectors.find()
                .map(names -> "Source connectors installed beside this one: " + String.join(", ", names) + ".")
                .orElse("GET /connector-plugins lists what is installed.");
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
    static ClassLoader loaderOf(String className) {
        try {
            return connectorClass(className).getClassLoader();
        } catch (ConfigException e) {
            throw new ConnectException(e.getMessage(), e);
        }
    }

    /**
     * Whether a task takes the last record of a source partition that it is told of as confirming all before it, and
     * frees the upstream by that: Debezium's do, on commit.
     */
    static boolean lastOffsetWins(Class<?> taskClass) {
        return isDebeziumTask(taskClass);
    }

    /** Whether a task is one of Debezium's, which poll a queue that a thread of theirs fills. */
    static boolean isDebeziumTask(Class<?> taskClass) {
        return descendsFrom(taskClass, DEBEZIUM_TASK);
    }

    /** Whether a class of this name is among the superclasses; by name, since it lives in another loader. */
    static boolean descendsFrom(Class<?> type, String ancestor) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            if (c.getName().equals(ancestor)) {
                return true;
            }
        }
        return false;
    }
}
