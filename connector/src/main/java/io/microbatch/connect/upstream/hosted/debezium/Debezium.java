package io.microbatch.connect.upstream.hosted.debezium;

/**
 * Recognizes Debezium's classes by the names of their superclasses, because they have another class loader. Stateless.
 */
public final class Debezium {

    private static final String BASE_TASK = "io.debezium.connector.common.BaseSourceTask";

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

    static boolean isPostgresTask(Class<?> taskClass) {
        return descendsFrom(taskClass, "io.debezium.connector.postgresql.PostgresConnectorTask");
    }

    static boolean isConnector(Class<?> connectorClass) {
        return descendsFrom(connectorClass, "io.debezium.connector.common.BaseSourceConnector");
    }

    static boolean isPostgresConnector(Class<?> connectorClass) {
        return descendsFrom(connectorClass, "io.debezium.connector.postgresql.PostgresConnector");
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
