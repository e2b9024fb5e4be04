package io.microbatch.testbed;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;

/**
 * Where servers run. The system property {@code testbed.servers} says it: {@code processes}, out of Maven artifacts, or
 * {@code containers}. Either way they are on ports of 127.0.0.1 that were free before, and read and write the files
 * under their work directory by the same paths as everybody else.
 */
interface Servers {

    String PROPERTY = "testbed.servers";

    /** What the system property says. Processes if it says nothing. */
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
     * A Kafka node with new storage, which does not run yet.
     *
     * @param properties all of its properties
     * @param options of its JVM
     */
    Server kafka(
            TestbedHome home, Path directory, Uuid clusterId, Map<String, String> properties, List<String> options);

    /**
     * A distributed Connect worker, which does not run yet.
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

    /** A PostgreSQL with an empty database, which runs. */
    PostgresServer postgres(Path directory, int port, Map<String, String> settings);
}
