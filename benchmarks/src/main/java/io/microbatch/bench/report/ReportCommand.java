package io.microbatch.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.microbatch.bench.BenchHome;
import io.microbatch.bench.report.Sections.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench report}: exits with 0 when there was something to show. */
@Command(
        name = "report",
        sortOptions = false,
        description = {
            "Makes one page with plots out of the JSON results, readable without a network.",
            "",
            "Takes what is there of the JSON files that are called like the commands: compare.json, ramp.json and so"
                    + " on, and every frontier*.json.",
            "",
            "With --plot it draws latency against CPU as an SVG file instead, for a page of text.",
            ""
        })
public final class ReportCommand implements Callable<Integer> {

    @Option(names = "--results", paramLabel = "DIR", description = "where they are; benchmarks/results unless given")
    private Path results;

    @Option(
            names = "--output",
            paramLabel = "FILE",
            defaultValue = "report.html",
            description = "the page; default ${DEFAULT-VALUE}")
    private Path output;

    @Option(names = "--plot", paramLabel = "FILE", description = "an SVG file in place of the page")
    private Path plot;

    @Option(
            names = "--frontier",
            paramLabel = "FILE",
            split = ",",
            defaultValue = "frontier.json",
            description = "with --plot: results of bench frontier, in the directory of --results;"
                    + " default ${DEFAULT-VALUE}")
    private List<String> frontier;

    @Option(
            names = "--rates",
            paramLabel = "N",
            split = ",",
            description = "with --plot: the rates with a panel, events/s; all unless given")
    private List<Integer> rates = List.of();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Path directory = results == null ? BenchHome.root().resolve("benchmarks/results") : results;
        ObjectMapper json = new ObjectMapper();
        if (plot != null) {
            return plot(directory, json);
        }
        ReportPage page = new ReportPage();
        for (String file : frontiers(directory)) {
            JsonNode result = json.readTree(directory.resolve(file).toFile());
            page.add(FrontierSection.of(file, result), result);
        }
        for (Section section : all()) {
            Path file = directory.resolve(section.file());
            if (Files.exists(file)) {
                page.add(section, json.readTree(file.toFile()));
            }
        }
        if (page.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "no results in " + directory);
        }
        spec.commandLine().getOut().println(Files.writeString(output, page.html()));
        return 0;
    }

    private int plot(Path directory, ObjectMapper json) throws IOException {
        List<JsonNode> results = new ArrayList<>();
        for (String name : frontier) {
            Path file = directory.resolve(name);
            if (!Files.exists(file)) {
                throw new ParameterException(spec.commandLine(), "no result " + file);
            }
            results.add(json.readTree(file.toFile()));
        }
        try {
            spec.commandLine().getOut().println(Files.writeString(plot, FrontierImage.of(results, rates)));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        return 0;
    }

    /** By name, one broker first. */
    private static List<String> frontiers(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> FrontierSection.FILE.matcher(name).matches())
                    .sorted(Comparator.comparing(name -> name.replace(".json", "")))
                    .toList();
        }
    }

    private static List<Section> all() {
        List<Section> sections = new ArrayList<>(Sections.ALL);
        sections.addAll(ScenarioSections.ALL);
        return sections;
    }
}
