package io.microbatch.bench.regress;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.microbatch.bench.BenchHome;
import io.microbatch.testbed.ShutdownGuard;
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
                    + " figure. A figure is marked as lost if its median lost more than a tenth and is worse than the"
                    + " worst stored round. Both sides have to come from the same machine, and it may be"
                    + " slower today: --machine.",
            ""
        },
        footer = {"", "Exit codes: 0 nothing lost, 1 something lost or not verified, 2 wrong command line."})
public final class RegressCommand implements Callable<Integer> {

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
                            + " is, for rates, latencies and CPU apart: every ratio is divided by the median of theirs,"
                            + " a figure is lost only if it lost more than nine tenths of theirs, which cannot be lost;"
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
        Map<String, Change> changes = before.changes(after);
        return print(changes, machine(changes)) ? 0 : 1;
    }

    private Map<FigureKind, Machine> machine(Map<String, Change> changes) {
        if (machine.isEmpty()) {
            return Map.of();
        }
        Map<FigureKind, Machine> found = ComparedFigures.machine(changes, machine);
        if (found.isEmpty()) {
            throw wrong("--machine: no figure of " + name + " contains " + String.join(" or ", machine) + "; there are "
                    + String.join(", ", changes.keySet()));
        }
        found.forEach((kind, each) -> spec.commandLine()
                .getOut()
                .println(String.format(
                        Locale.ROOT,
                        "%s: the machine is %.2f times as good as stored, and %.2f times in the worst tenth of the"
                                + " figures; ratios are versus the first",
                        kind.name().toLowerCase(Locale.ROOT),
                        each.speed(),
                        each.poor())));
        return found;
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
            // The benchmark must not go on when this command is ended.
            ShutdownGuard.Registration guard = ShutdownGuard.register(process::destroy);
            try {
                int ignored = process.waitFor();
            } finally {
                guard.close();
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

    private boolean print(Map<String, Change> changes, Map<FigureKind, Machine> machines) {
        PrintWriter out = spec.commandLine().getOut();
        boolean kept = !changes.isEmpty();
        for (Map.Entry<String, Change> figure : changes.entrySet()) {
            Change change = figure.getValue();
            Machine same = machines.getOrDefault(change.kind(), Machine.SAME);
            boolean lost = change.lost(same) && machine.stream().noneMatch(figure.getKey()::contains);
            kept &= !lost;
            out.println(String.format(
                    Locale.ROOT,
                    "%-60s %6.2f  (%.2f to %.2f)%s",
                    figure.getKey(),
                    change.median() / same.speed(),
                    change.runs().get(0) / same.speed(),
                    change.runs().get(change.runs().size() - 1) / same.speed(),
                    lost ? "  LOST" : ""));
        }
        out.println(kept ? "NOTHING LOST" : changes.isEmpty() ? "NO FIGURE IN COMMON" : "LOST");
        out.flush();
        return kept;
    }
}
