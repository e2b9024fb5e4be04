package io.microbatch.bench.calibrate;

import io.microbatch.bench.ResultFile;
import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.LoadResult;
import io.microbatch.bench.load.LoadRun;
import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.LoadStack;
import io.microbatch.connect.pressure.PressureLevel;
import io.microbatch.testbed.WorkDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code bench calibrate}: exits with 0 when the file could be shown, and every event was verified if there were any.
 */
@Command(
        name = "calibrate",
        sortOptions = false,
        description = {
            "Lets a connector learn on this machine and shows what it learned, or shows the calibration of any task.",
            "",
            "With --status FILE nothing is started: it shows a copy of the file, which its task may hold at the same"
                    + " time. FILE may be a directory of them. Otherwise a generator goes through the levels round by"
                    + " round, exactly-once, and what the connector has learned is shown after the last.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  bench calibrate --status ~/.microbatch",
            "  bench calibrate 3 4 5 --rounds 2 --duration 120 --directory kept",
            "",
            "Exit codes: 0 shown and verified, 1 not, 2 wrong command line."
        })
public final class CalibrateCommand implements Callable<Integer> {

    private static final String SUFFIX = ".calibration";
    /** Events per second in the middle of each level's band, as far as a small machine goes. */
    private static final List<Integer> RATES = List.of(5, 50, 300, 1_000, 5_000, 25_000, 100_000);

    @Parameters(paramLabel = "LEVEL", arity = "0..*", description = "levels to learn, 1 to 7; all of them unless given")
    private List<Integer> levels;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "1", description = "default ${DEFAULT-VALUE}")
    private int rounds;

    @Option(
            names = "--duration",
            paramLabel = "S",
            defaultValue = "60",
            description = "seconds at a level in each round; default ${DEFAULT-VALUE}")
    private int seconds;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "copy the filled calibration file there; it is deleted otherwise")
    private Path directory;

    @Option(names = "--status", paramLabel = "FILE", description = "show this file, or those of this directory")
    private Path status;

    @Option(
            names = "--windows",
            paramLabel = "N",
            defaultValue = "3",
            description = "how many observation windows of each level to show; default ${DEFAULT-VALUE}")
    private int windows;

    @Mixin
    private ResultFile resultFile;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (status != null) {
            show(filesOf(status), out, true);
            return 0;
        }
        List<Integer> wanted = levels == null ? List.of(1, 2, 3, 4, 5, 6, 7) : levels;
        if (wanted.stream().anyMatch(level -> level < 1 || level > RATES.size()) || rounds < 1 || seconds < 1) {
            throw new ParameterException(
                    spec.commandLine(), "levels are 1 to " + RATES.size() + ", --rounds and --duration at least 1");
        }
        return learn(wanted, out) ? 0 : 1;
    }

    private boolean learn(List<Integer> wanted, PrintWriter out) throws IOException {
        boolean verified = true;
        try (WorkDirectory work = WorkDirectory.create("microbatch-calibrate");
                LoadStack stack = LoadStack.start(work.path(), 1)) {
            resultFile.measuredOn(stack.bootstrapServers());
            LoadRun load = new LoadRun(stack, out);
            for (int round = 0; round < rounds; round++) {
                for (int level : wanted) {
                    String topic = "calibrate-" + round + "-" + level;
                    LoadResult result = load.run(LoadSpec.steady(
                            "calibrate", topic, Delivery.EXACTLY_ONCE, RATES.get(level - 1), 0, seconds, Map.of()));
                    resultFile.lookAtServers();
                    verified &= result.isVerified();
                    out.printf(
                            "round %d, %s: %d windows, %s%n",
                            round + 1,
                            PressureLevel.ofNumber(level),
                            result.windows().all().size(),
                            result.text());
                    out.flush();
                }
            }
            List<Path> filled = filesOf(stack.calibration().resolve("calibrate"));
            show(filled, out, verified);
            if (directory != null) {
                for (Path file : filled) {
                    Path target =
                            Files.createDirectories(directory.toAbsolutePath()).resolve(file.getFileName());
                    out.println("kept as " + Files.copy(file, target));
                }
            }
        }
        out.println("VERIFIED: " + (verified ? "YES" : "NO"));
        out.flush();
        return verified;
    }

    private void show(List<Path> files, PrintWriter out, boolean verified) throws IOException {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("verified", verified);
        Map<String, Object> byFile = new LinkedHashMap<>();
        for (Path file : files) {
            try (WorkDirectory scratch = WorkDirectory.create("microbatch-status")) {
                List<CalibrationSnapshot> snapshots = CalibrationSnapshot.read(file, scratch.path(), windows);
                out.println(file + ", as of now:");
                StatusReport.print(snapshots, System.currentTimeMillis(), out);
                byFile.put(file.getFileName().toString(), StatusReport.json(snapshots));
            }
        }
        json.put("files", byFile);
        resultFile.write(json);
    }

    private List<Path> filesOf(Path place) throws IOException {
        if (!Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
            return List.of(place);
        }
        List<Path> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(place)) {
            files.filter(file -> file.toString().endsWith(SUFFIX)).sorted().forEach(found::add);
        }
        if (found.isEmpty()) {
            throw new IOException("no calibration file in " + place + ": is it the connector's calibration.directory?");
        }
        return found;
    }
}
