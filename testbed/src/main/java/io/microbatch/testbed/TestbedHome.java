package io.microbatch.testbed;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The directory that the build of this module fills. {@code libs/} holds the class path of a broker and a worker.
 * {@code plugins/} is a {@code plugin.path} entry with the Debezium PostgreSQL connector and Kafka's file connectors.
 * {@code hosted/} is another one with Kafka's mirror connectors and the reference connectors of this module. {@code
 * engine/} holds Debezium's engine.
 *
 * @param root the directory
 * @param libs the class path of broker and worker
 * @param java the directory of the Java that broker and worker run on
 */
public record TestbedHome(Path root, Path libs, Path java) {

    private static final String PROPERTY = "testbed.home";
    private static final String BUILT = "testbed/target/testbed";

    /** The servers of this build, on the Java that runs this process. */
    public TestbedHome(Path root) {
        this(root, root.resolve("libs"), Path.of(System.getProperty("java.home")));
    }

    /**
     * The same plugins with servers of another release of Kafka, or on another Java.
     *
     * @param otherLibs the class path of broker and worker
     * @param otherJava the directory that has {@code bin/java}
     */
    public TestbedHome with(Path otherLibs, Path otherJava) {
        return new TestbedHome(root, otherLibs, otherJava);
    }

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

    /**
     * The class path of an application with Debezium's engine, its connector for PostgreSQL and Kafka's file
     * connectors.
     *
     * @param more further directories with jars, such as those of an unpacked plugin
     */
    public String engineClassPath(Path... more) {
        Stream<Path> own = Stream.of(
                libs,
                root.resolve("engine"),
                plugins().resolve("debezium-connector-postgres"),
                plugins().resolve("connect-file"));
        return Stream.concat(own, Arrays.stream(more))
                .map(directory -> directory.resolve("*").toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static TestbedHome checked(Path root) {
        if (!Files.isDirectory(root.resolve("libs"))) {
            throw new IllegalStateException(root + " has no libs/. Build it: mvn -pl testbed -DskipTests package");
        }
        return new TestbedHome(root);
    }
}
