package io.microbatch.testbed;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;

/**
 * Where servers run, from the system property {@code testbed.servers}: {@code processes}, started from Maven artifacts,
 * or {@code containers}. Both listen on free ports of 127.0.0.1 and use the files under their work directory by the
 * same paths as the test.
 */
interface Servers {

    String PROPERTY = "testbed.servers";

    /** The kind that the system property selects. The default is processes. */
    static Servers chosen() {
        String where = System.getProperty(PROPERTY, "processes");
        return switch (where) {
            case "processes" -> new ProcessServers();
            case "containers" -> new ContainerServers();
            default ->
                throw new IllegalArgumentException(
                        "-D" + PROPERTY + " is '" + where + "': it is either processes or containers");
        };
    }

    /**
     * A Kafka node with new storage. It does not run yet.
     *
     * @param properties all of its properties
     * @param options of its JVM
     */
    Server kafka(
            TestbedHome home, Path directory, Uuid clusterId, Map<String, String> properties, List<String> options);

    /**
     * A distributed Connect worker. It does not run yet.
     *
     * @param work the directory in which it may find and leave files, above {@code directory}, which is its own
     * @param options of its JVM
     * @param environment variables that it has in addition to those of this process
     */
    Server connect(
            TestbedHome home,
            Path work,
            Path directory,
            Map<String, String> properties,
            List<String> options,
            Map<String, String> environment);

    /** A running PostgreSQL with an empty database. */
    PostgresServer postgres(Path directory, int port, Map<String, String> settings);
}
