package io.microbatch.testbed;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;

/**
 * Servers as separate processes, run from the files that the testbed's build has collected. The system property {@code
 * testbed.transaction.version} sets the feature level of new Kafka nodes. The default is Kafka's own. Any thread.
 */
final class ProcessServers implements Servers {

    private static final String TRANSACTION_VERSION = "testbed.transaction.version";

    private static final Duration FORMAT_LIMIT = Duration.ofSeconds(60);
    private static final List<String> QUICK_TO_START = List.of("-XX:TieredStopAtLevel=1", "-Xmx128m");

    @Override
    public Server kafka(
            TestbedHome home, Path directory, Uuid clusterId, Map<String, String> properties, List<String> options) {
        String file = JavaCommand.properties(directory.resolve("broker.properties"), properties)
                .toString();
        List<String> format = new ArrayList<>(List.of("format", "-t", clusterId.toString(), "-c", file));
        String transactionVersion = System.getProperty(TRANSACTION_VERSION);
        if (transactionVersion != null) {
            format.addAll(List.of("--feature", "transaction.version=" + transactionVersion));
        }
        List<String> formatter = JavaCommand.of(home, directory, QUICK_TO_START, "kafka.tools.StorageTool", format);
        new ServerProcess("format", formatter, directory).run(FORMAT_LIMIT);
        List<String> server = JavaCommand.of(home, directory, options, "kafka.Kafka", List.of(file));
        return new ServerProcess("broker", server, directory);
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
        List<String> command = JavaCommand.of(
                home, directory, options, "org.apache.kafka.connect.cli.ConnectDistributed", List.of(file.toString()));
        return new ServerProcess("worker", command, directory, environment);
    }

    @Override
    public PostgresServer postgres(Path directory, int port, Map<String, String> settings) {
        return PostgresProcess.start(directory, port, settings);
    }
}
