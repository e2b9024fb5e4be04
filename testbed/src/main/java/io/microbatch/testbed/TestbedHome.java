package io.microbatch.testbed;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The directory that the build of this module fills. {@code libs/} holds the class path of a broker and a worker.
 * {@code plugins/} is a {@code plugin.path} entry with the Debezium PostgreSQL connector and Kafka's file connectors.
 * {@code hosted/} is another one with Kafka's mirror connectors and the reference connectors of this module.
 */
public record TestbedHome(Path root) {

    private static final String PROPERTY = "testbed.home";
    private static final String BUILT = "testbed/target/testbed";

    /**
     * The directory named by the system property {@code testbed.home}, otherwise {@code testbed/target/testbed} in the
     * working directory or a directory above it.
     */
    public static TestbedHome locate() {
        String configured = System.getProperty(PROPERTY);
        if (configured != null) {
            return checked(Path.of(configured).toAbsolutePath().normalize());
        }
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.isDirectory(at.resolve(BUILT))) {
                return checked(at.resolve(BUILT));
            }
        }
        throw new IllegalStateException("no " + BUILT + " here or above, and -D" + PROPERTY
                + " is not set. Build it: mvn -pl testbed -DskipTests package");
    }

    /** A {@code plugin.path} entry with one directory per third-party plugin. */
    public Path plugins() {
        return root.resolve("plugins");
    }

    /** A {@code plugin.path} entry with Kafka's mirror connectors and the reference connectors. */
    public Path hostedPlugins() {
        return root.resolve("hosted");
    }

    /** The agent that exports a JVM's MBeans to Prometheus. */
    Path exporterAgent() {
        return root.resolve("agent").resolve("jmx_prometheus_javaagent.jar");
    }

    /** The class path of broker and worker. */
    Path libs() {
        return root.resolve("libs");
    }

    private static TestbedHome checked(Path root) {
        if (!Files.isDirectory(root.resolve("libs"))) {
            throw new IllegalStateException(root + " has no libs/. Build it: mvn -pl testbed -DskipTests package");
        }
        return new TestbedHome(root);
    }
}
