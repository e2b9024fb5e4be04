package io.microbatch.connect.upstream.hosted.debezium;

import java.util.List;

/**
 * Recognizes Debezium's classes by the names of their superclasses, because they have another class loader. Stateless.
 */
public final class Debezium {

    private static final String BASE_TASK = "io.debezium.connector.common.BaseSourceTask";

    private static final String POSTGRES_CONNECTOR = "io.debezium.connector.postgresql.PostgresConnector";

    private static final List<String> QUERY_INDEPENDENTLY = List.of(
            POSTGRES_CONNECTOR,
            "io.debezium.connector.mysql.MySqlConnector",
            "io.debezium.connector.mariadb.MariaDbConnector",
            "io.debezium.connector.mongodb.MongoDbConnector",
            "io.debezium.connector.oracle.OracleConnector",
            "io.debezium.connector.informix.InformixConnector",
            "io.debezium.connector.vitess.VitessConnector");

    private Debezium() {}

    /**
     * Whether a task is Debezium's. Such a task polls a queue that its own thread fills. On commit it frees its
     * upstream up to the last record of each source partition that it was notified of.
     */
    public static boolean isTask(Class<?> taskClass) {
        return descendsFrom(taskClass, BASE_TASK);
    }

    /** Whether a class is the one that all tasks of Debezium extend. */
    public static boolean isBaseTask(Class<?> taskClass) {
        return taskClass.getName().equals(BASE_TASK);
    }

    /**
     * Whether a task is Debezium's for PostgreSQL. On commit such a task asks Connect for the committed offset, and
     * frees its upstream up to that. Its {@code commitRecord}, if it has one of its own, does nothing.
     */
    public static boolean isPostgresTask(Class<?> taskClass) {
        return descendsFrom(taskClass, "io.debezium.connector.postgresql.PostgresConnectorTask");
    }

    static boolean isConnector(Class<?> connectorClass) {
        return descendsFrom(connectorClass, "io.debezium.connector.common.BaseSourceConnector");
    }

    static boolean isPostgresConnector(Class<?> connectorClass) {
        return descendsFrom(connectorClass, POSTGRES_CONNECTOR);
    }

    /**
     * Whether a connector is known to query its database at a rate that hardly depends on its poll interval: the
     * database sends what is new, or the connector has an interval of its own for its queries. Those for SQL Server,
     * Db2 and IBM i query once in each poll interval.
     */
    static boolean queriesIndependently(Class<?> connectorClass) {
        return QUERY_INDEPENDENTLY.stream().anyMatch(name -> descendsFrom(connectorClass, name));
    }

    private static boolean descendsFrom(Class<?> type, String ancestor) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            if (c.getName().equals(ancestor)) {
                return true;
            }
        }
        return false;
    }
}
