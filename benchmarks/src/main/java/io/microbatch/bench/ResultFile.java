package io.microbatch.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.microbatch.testbed.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.common.utils.AppInfoParser;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code --json} option that every subcommand mixes in. */
public final class ResultFile {

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /** Of the command that has this option. */
    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    private final Map<String, String> jvms = new LinkedHashMap<>();
    private boolean heapsGiven;
    private Path file;
    private String code = CodeVersion.UNKNOWN;
    private String transactionVersion = "none";

    /** Where to. The code is named now, because the checkout may have moved on when a long run writes its result. */
    @Option(names = "--json", paramLabel = "FILE", description = "also write the result to FILE as JSON")
    void to(Path chosen) {
        file = chosen;
        code = CodeVersion.of(BenchHome.root());
    }

    /** The brokers that a result is measured on. To be called while they run. */
    public void measuredOn(String bootstrapServers) {
        if (file != null) {
            transactionVersion = transactionVersion(bootstrapServers);
            lookAtServers();
        }
    }

    /** The heap options of servers that another process has started, by what they are. */
    public void serversHave(Map<String, String> heaps) {
        jvms.putAll(ServerJvms.running());
        jvms.putAll(heaps);
        heapsGiven = true;
    }

    /** Notes the heaps of the servers that run now, unless the caller knows them. Some start later than others. */
    public void lookAtServers() {
        if (file != null && !heapsGiven) {
            jvms.putAll(ServerJvms.running());
        }
    }

    /**
     * The finalized {@code transaction.version}: from 2 on the broker defends transactions itself and the client sends
     * no request to add partitions (KIP-890). "0" where none is finalized, "unknown" without an answer.
     */
    private static String transactionVersion(String bootstrapServers) {
        try {
            FinalizedVersionRange range = new Topics(bootstrapServers)
                    .ask(admin -> admin.describeFeatures().featureMetadata())
                    .finalizedFeatures()
                    .get("transaction.version");
            return range == null ? "0" : Short.toString(range.maxVersionLevel());
        } catch (IllegalStateException e) {
            return "unknown";
        }
    }

    /**
     * Writes the result, with the command line, the code and the machine that were measured, if the user asked for it.
     * Secrets and this machine's directories are left out.
     */
    public void write(Map<String, ?> result) {
        if (file == null) {
            return;
        }
        Map<String, Object> complete = new LinkedHashMap<>(result);
        Redaction redaction = Redaction.ofThisProcess();
        complete.put("environment", environment(redaction));
        JsonNode published = redaction.clean(JSON.valueToTree(complete));
        try {
            Path parent = file.toAbsolutePath().getParent();
            Path directory = Files.createDirectories(parent);
            JSON.writeValue(directory.resolve(file.getFileName()).toFile(), published);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    private Map<String, Object> environment(Redaction redaction) {
        Map<String, Object> environment = new LinkedHashMap<>();
        environment.put("command", redaction.command(words()));
        environment.put("code", code);
        lookAtServers();
        environment.put("heap", jvms);
        environment.put("cpu", processorName());
        environment.put("processors", Runtime.getRuntime().availableProcessors());
        environment.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        environment.put("arch", System.getProperty("os.arch"));
        environment.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        environment.put("kafka", AppInfoParser.getVersion());
        environment.put("transaction_version", transactionVersion);
        environment.put("disk", disk());
        environment.put("at", java.time.Instant.now().toString());
        return environment;
    }

    /** What the user wrote after {@code bench}. */
    private List<String> words() {
        CommandLine.ParseResult parsed = command.root().commandLine().getParseResult();
        return parsed == null ? List.of() : parsed.originalArgs();
    }

    /** As Linux reports it. "unknown" on other systems. */
    private static String processorName() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .orElse("unknown");
        } catch (IOException | UncheckedIOException e) {
            return "unknown";
        }
    }

    /** Of the working directories. */
    private static String disk() {
        try {
            FileStore store = Files.getFileStore(Path.of(System.getProperty("java.io.tmpdir")));
            return store.type() + ", " + store.getUsableSpace() / (1L << 30) + " GiB free";
        } catch (IOException e) {
            return "unknown";
        }
    }
}
