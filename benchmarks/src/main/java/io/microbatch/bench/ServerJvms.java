package io.microbatch.bench;

import io.microbatch.bench.http.peer.IngestServer;
import io.microbatch.bench.outbox.peer.RelayServer;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The heap and collector options of the JVMs that are measured, as their processes have them. Stateless. */
final class ServerJvms {

    private static final String WORKER = "worker";
    private static final String BENCH = "bench";

    private static final Map<String, String> NAMES = Map.of(
            "org.apache.kafka.connect.cli.ConnectDistributed",
            WORKER,
            "kafka.Kafka",
            "broker",
            IngestServer.class.getName(),
            "servlet",
            RelayServer.class.getName(),
            "relays");
    private static final List<String> HEAP = List.of("-Xms", "-Xmx");

    private ServerJvms() {}

    /** Those of this process and of the servers that it has started and that run now, by what they are. */
    static Map<String, String> running() {
        Map<String, String> options = new LinkedHashMap<>();
        options.put(BENCH, options(ManagementFactory.getRuntimeMXBean().getInputArguments()));
        ProcessHandle.current()
                .descendants()
                .flatMap(process -> process.info().arguments().stream())
                .forEach(arguments ->
                        nameOf(List.of(arguments)).ifPresent(name -> options.put(name, options(List.of(arguments)))));
        return options;
    }

    /** What a process is whose command line has these arguments. Nothing for other processes. */
    static Optional<String> nameOf(List<String> arguments) {
        return arguments.stream().filter(NAMES::containsKey).map(NAMES::get).findFirst();
    }

    /** Its heap and collector options. Of two heap sizes the later one, which is the one that the JVM uses. */
    static String options(Collection<String> arguments) {
        Map<String, String> found = new LinkedHashMap<>();
        for (String argument : arguments) {
            HEAP.stream().filter(argument::startsWith).findFirst().ifPresent(heap -> found.put(heap, argument));
            if (argument.startsWith("-XX:")) {
                found.put(argument, argument);
            }
        }
        return found.values().stream().collect(Collectors.joining(" "));
    }
}
