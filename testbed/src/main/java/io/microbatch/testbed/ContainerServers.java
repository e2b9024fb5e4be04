package io.microbatch.testbed;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.AccessMode;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Volume;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * Servers in containers that share this machine's network, through Testcontainers. Any thread.
 *
 * <p>Tests pass addresses and paths from one server to the next: the port of a database in a connector's configuration,
 * a file that a worker reads, a proxy between two of them. With the machine's own network, and a worker's directories
 * mounted at the same paths, these are valid in every server and in the test.
 */
final class ContainerServers implements Servers {

    private static final String CONNECT = "/opt/kafka/bin/connect-distributed.sh";
    private static final String KAFKA_DATA = "/var/lib/kafka/data";
    private static final String CHECKOUT_PROPERTY = "testbed.containers.checkout";

    @Override
    public Server kafka(
            TestbedHome home, Path directory, Uuid clusterId, Map<String, String> properties, List<String> options) {
        KafkaNodeContainer node = new KafkaNodeContainer(ContainerImage.KAFKA.require());
        node.withEnv("CLUSTER_ID", clusterId.toString());
        properties.forEach((key, value) -> node.withEnv(variable(key), value));
        node.withEnv(variable("log.dirs"), KAFKA_DATA);
        node.withEnv("KAFKA_JVM_PERFORMANCE_OPTS", words(options));
        return server("broker", node);
    }

    @Override
    public Server connect(
            TestbedHome home,
            Path work,
            Path directory,
            Map<String, String> properties,
            List<String> options,
            Map<String, String> environment) {
        Path file = JavaCommand.properties(directory.resolve("worker.properties"), properties);
        List<Bind> binds = new ArrayList<>();
        binds.add(bind(work, AccessMode.rw));
        binds.add(bind(home.root(), AccessMode.ro));
        String checkout = System.getProperty(CHECKOUT_PROPERTY);
        if (checkout != null) {
            binds.add(bind(Path.of(checkout), AccessMode.ro));
        }
        GenericContainer<?> worker = new GenericContainer<>(ContainerImage.CONNECT.require())
                .withCommand(CONNECT, file.toString())
                .withWorkingDirectory(directory.toString())
                .withEnv(environment)
                .withEnv("LOG_DIR", directory.toString())
                .withEnv("KAFKA_LOG4J_OPTS", JavaCommand.loggingOption(directory))
                .withEnv("KAFKA_JVM_PERFORMANCE_OPTS", words(options))
                .withCreateContainerCmdModifier(command -> share(command, binds, directory));
        return server("worker", worker);
    }

    @Override
    public PostgresServer postgres(Path directory, int port, Map<String, String> settings) {
        List<String> command = new ArrayList<>(List.of("postgres", "-c", "port=" + port));
        settings.forEach((key, value) -> command.addAll(List.of("-c", key + "=" + value)));
        PostgreSQLContainer database = new DatabaseContainer(ContainerImage.POSTGRES.require(), port)
                .withDatabaseName(PostgresServer.DATABASE)
                .withUsername(PostgresServer.USER)
                .withPassword(PostgresServer.PASSWORD)
                .withCommand(command.toArray(String[]::new));
        PostgresServer postgres = new PostgresContainer(server("postgres", database), port);
        postgres.restart();
        return postgres;
    }

    /** A database on a given port. The Testcontainers class asks for the port that it got. */
    private static final class DatabaseContainer extends PostgreSQLContainer {

        private final int port;

        private DatabaseContainer(DockerImageName image, int port) {
            super(image);
            this.port = port;
        }

        @Override
        public String getJdbcUrl() {
            return PostgresServer.jdbcUrl(port);
        }
    }

    private static ContainerServer server(String name, GenericContainer<?> container) {
        // On the machine's network no port is exposed, but Testcontainers would wait for one.
        container.setExposedPorts(new ArrayList<>());
        container
                .withNetworkMode("host")
                .withLabels(ContainerEngine.labels())
                .withStartupCheckStrategy(new NoWaiting.UntilItRuns())
                .waitingFor(new NoWaiting.UntilItAnswers());
        return new ContainerServer(name, container);
    }

    /** Mounts the files of this process at the same paths and with its user, so that both sides can delete them. */
    private static void share(CreateContainerCmd command, List<Bind> binds, Path ours) {
        command.getHostConfig().withBinds(binds);
        try {
            command.withUser(Files.getAttribute(ours, "unix:uid") + ":" + Files.getAttribute(ours, "unix:gid"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Bind bind(Path path, AccessMode mode) {
        String absolute = path.toAbsolutePath().normalize().toString();
        return new Bind(absolute, new Volume(absolute), mode);
    }

    /** The environment variable that the image turns into this property of a broker. */
    private static String variable(String property) {
        String name = property.replace("_", "__").replace("-", "___").replace('.', '_');
        return "KAFKA_" + name.toUpperCase(Locale.ROOT);
    }

    /** As Kafka's scripts take options: they split at every space. */
    private static String words(List<String> options) {
        options.stream().filter(option -> option.contains(" ")).findAny().ifPresent(option -> {
            throw new IllegalArgumentException("a container takes no JVM option with a space in it: '" + option + "'");
        });
        return String.join(" ", options);
    }
}
