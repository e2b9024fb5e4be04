package io.microbatch.bench.regress;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.microbatch.bench.BenchHome;
import io.microbatch.bench.load.Medians;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bench regress NAME}: exits with 0 when no figure is lost. */
@Command(
        name = "regress",
        sortOptions = false,
        description = {
            "Runs a benchmark again and compares its figures with the stored ones.",
            "",
            "The command is the one that the stored result names. A ratio over 1 is better than stored, whatever the"
                    + " figure. A figure whose median lost more than a tenth is marked. Both sides have to come from"
                    + " the same machine, and it may be slower today: --machine.",
            ""
        },
        footer = {"", "Exit codes: 0 nothing lost, 1 something lost or not verified, 2 wrong command line."})
public final class RegressCommand implements Callable<Integer> {

    private static final double LOST = 0.9;
    private static final int MAX_RUNS = 20;

    private static final List<String> QUICK = List.of(
            "baseline",
            "bulk",
            "catch-up",
            "cdc",
            "compare",
            "diskless",
            "fleet",
            "frontier",
            "http",
            "outbox",
            "ramp",
            "regret",
            "step");
    private static final List<String> SCENARIOS =
            List.of("backlog", "fan-out", "hot-path", "mixed", "offset-recovery", "partitions", "sizes", "slow-broker");

    /** How each is run if the stored result does not name its command, as the earliest do not. */
    private static final Map<String, List<String>> COMMANDS = commands();

    @Parameters(
            paramLabel = "NAME",
            description =
                    "baseline, bulk, catch-up, cdc, compare, diskless, final, fleet, frontier, http, outbox, ramp,"
                            + " regret, step, or the name of a scenario")
    private String name;

    @Option(names = "--stored", paramLabel = "FILE", description = "benchmarks/results/NAME.json unless given")
    private Path stored;

    @Option(
            names = "--fresh",
            paramLabel = "FILE",
            split = ",",
            description = "results that were measured already, instead of a fresh run")
    private List<Path> measured = List.of();

    @Option(
            names = "--full",
            description =
                    "run the long form if the stored result does not name its command; the quick one unless given")
    private boolean full;

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "1",
            description = "fresh runs; default ${DEFAULT-VALUE}")
    private int runs;

    @Option(
            names = "--machine",
            paramLabel = "TEXT",
            split = ",",
            description =
                    "figures that contain one of these texts, such as the names of rivals, show how fast the machine"
                            + " is: every ratio is divided by the median of theirs, and theirs cannot be lost;"
                            + " without it a slower machine is a loss")
    private List<String> machine = List.of();

    @Spec
    private CommandSpec spec;

    private final ObjectMapper json = new ObjectMapper();

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<String> command = COMMANDS.get(name);
        if (command == null) {
            throw wrong("no benchmark " + name + "; there are " + String.join(", ", COMMANDS.keySet()));
        }
        if (runs < 1 || runs > MAX_RUNS) {
            throw wrong("--runs is 1 to " + MAX_RUNS);
        }
        Path file = stored == null ? BenchHome.root().resolve("benchmarks/results/" + name + ".json") : stored;
        JsonNode old = read(file);
        ComparedFigures before = ComparedFigures.of(old);
        List<String> line = StoredCommand.of(old, command).orElse(full ? inFull(command) : command);
        List<ComparedFigures> after = new ArrayList<>();
        for (Path each : measured.isEmpty() ? Collections.nCopies(runs, Path.of("")) : measured) {
            JsonNode result = measured.isEmpty() ? run(line) : read(each);
            if (!result.path("verified").asBoolean()) {
                spec.commandLine().getOut().println("NOT VERIFIED: there is nothing to compare");
                return 1;
            }
            after.add(ComparedFigures.of(result));
        }
        Map<String, List<Double>> ratios = before.ratios(after);
        return print(ratios, speed(ratios)) ? 0 : 1;
    }

    private double speed(Map<String, List<Double>> ratios) {
        if (machine.isEmpty()) {
            return 1;
        }
        double speed = ComparedFigures.speed(ratios, machine);
        // Not a number, or a rival without a figure.
        if (!(speed > 0)) {
            throw wrong("--machine: no figure of " + name + " contains " + String.join(" or ", machine) + "; there are "
                    + String.join(", ", ratios.keySet()));
        }
        spec.commandLine()
                .getOut()
                .println(String.format(
                        Locale.ROOT, "the machine is %.2f times as fast as stored; ratios are versus that", speed));
        return speed;
    }

    private static Map<String, List<String>> commands() {
        Map<String, List<String>> commands = new TreeMap<>();
        QUICK.forEach(name -> commands.put(name, List.of(name, "--quick")));
        SCENARIOS.forEach(name -> commands.put(name, List.of("scenario", name)));
        commands.put("final", List.of("final"));
        return commands;
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private JsonNode read(Path file) throws IOException {
        if (!Files.isReadable(file)) {
            throw wrong("no stored result " + file + "; name one with --stored or --fresh");
        }
        return json.readTree(file.toFile());
    }

    /** In a process of its own, as a user runs it: nothing is warm that would not be. */
    private JsonNode run(List<String> words) throws IOException, InterruptedException {
        Path result = Files.createTempFile("microbatch-regress", ".json");
        try {
            List<String> line = new ArrayList<>();
            line.add(BenchHome.root().resolve("benchmarks/bench").toString());
            line.addAll(words);
            line.addAll(List.of("--json", result.toString()));
            Process process = new ProcessBuilder(line).inheritIO().start();
            try {
                int ignored = process.waitFor();
            } finally {
                process.destroy();
            }
            return json.readTree(result.toFile());
        } finally {
            Files.delete(result);
        }
    }

    private static List<String> inFull(List<String> command) {
        String form = command.get(0).equals("baseline") ? "--thorough" : "--full";
        return command.stream()
                .map(word -> word.equals("--quick") ? form : word)
                .toList();
    }

    private boolean print(Map<String, List<Double>> ratios, double speed) {
        PrintWriter out = spec.commandLine().getOut();
        boolean kept = !ratios.isEmpty();
        for (Map.Entry<String, List<Double>> figure : ratios.entrySet()) {
            List<Double> each =
                    figure.getValue().stream().map(ratio -> ratio / speed).toList();
            double median = Medians.of(each);
            boolean lost = median < LOST && machine.stream().noneMatch(figure.getKey()::contains);
            kept &= !lost;
            out.println(String.format(
                    Locale.ROOT,
                    "%-60s %6.2f  (%.2f to %.2f)%s",
                    figure.getKey(),
                    median,
                    each.get(0),
                    each.get(each.size() - 1),
                    lost ? "  LOST" : ""));
        }
        out.println(kept ? "NOTHING LOST" : ratios.isEmpty() ? "NO FIGURE IN COMMON" : "LOST");
        out.flush();
        return kept;
    }
}
