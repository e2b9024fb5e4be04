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
import java.util.Locale;
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
                    + " round, exactly-once, and offers each level's rate. What the connector has learned is shown"
                    + " after the last. A rate that this machine does not carry is offered, too, for no longer than"
                    + " the others, and reported as such.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  bench calibrate --status ~/.microbatch",
            "  bench calibrate --levels L1,L4,L8 --duration 30",
            "  bench calibrate --all --bulk",
            "  bench calibrate 3 4 5 --rounds 2 --duration 120 --directory kept",
            "",
            "Exit codes: 0 shown and verified, 1 not, 2 wrong command line."
        })
public final class CalibrateCommand implements Callable<Integer> {

    private static final String SUFFIX = ".calibration";
    /** As far as a small machine goes. */
    private static final int DEFAULT_LEVELS = 7;

    private static final int MAX_SECONDS = 3_600;
    private static final int SMOKE_SECONDS = 3;
    private static final int PROBE_EVENTS = 2_000_000;
    private static final int SMOKE_PROBE_EVENTS = 200_000;

    @Parameters(
            paramLabel = "LEVEL",
            arity = "0..*",
            converter = LevelName.class,
            description = "levels to learn, by number or name; L1 to L7 unless given")
    private List<PressureLevel> levels = new ArrayList<>();

    @Option(
            names = "--levels",
            paramLabel = "LEVEL",
            split = ",",
            converter = LevelName.class,
            description = "the same, separated by commas: L1,L4,L8")
    private List<PressureLevel> named = new ArrayList<>();

    @Option(names = "--all", description = "learn all ten levels, as far as this machine carries their rates")
    private boolean all;

    @Option(
            names = "--bulk",
            description = "with bulk records, with which a machine carries higher rates; what is learned is valid for"
                    + " bulk.enabled=true")
    private boolean bulk;

    @Option(names = "--smoke", description = "three levels for seconds, no result: does it work?")
    private boolean smoke;

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
            show(filesOf(status), List.of(), out, true);
            return 0;
        }
        List<PressureLevel> wanted = wanted();
        if (rounds < 1 || seconds < 1 || seconds > MAX_SECONDS) {
            throw new ParameterException(
                    spec.commandLine(), "--rounds is at least 1, --duration 1 to " + MAX_SECONDS + " seconds");
        }
        return learn(wanted, out) ? 0 : 1;
    }

    /** In the order of the command line, each once. */
    List<PressureLevel> wanted() {
        List<PressureLevel> wanted = new ArrayList<>(levels);
        wanted.addAll(named);
        if (all) {
            return List.of(PressureLevel.values());
        }
        if (!wanted.isEmpty()) {
            return wanted.stream().distinct().toList();
        }
        return smoke
                ? List.of(PressureLevel.L1_REALTIME, PressureLevel.L4_MODERATE, PressureLevel.L10_MAX)
                : List.of(PressureLevel.values()).subList(0, DEFAULT_LEVELS);
    }

    private boolean learn(List<PressureLevel> wanted, PrintWriter out) throws IOException {
        boolean verified = true;
        List<LevelResult> results = new ArrayList<>();
        try (WorkDirectory work = WorkDirectory.createOnFreeDisk("microbatch-calibrate");
                LoadStack stack = LoadStack.start(work.path(), 1)) {
            resultFile.measuredOn(stack.bootstrapServers());
            LoadRun load = new LoadRun(stack, out);
            List<LevelOffer> offers = wanted.stream().map(LevelOffer::to).toList();
            double carriesPerSec = Double.POSITIVE_INFINITY;
            if (offers.stream().anyMatch(LevelOffer::isUncertain)) {
                LoadResult probe = probe(load);
                verified = probe.isVerified();
                carriesPerSec = probe.perSec();
                out.printf(Locale.ROOT, "this machine carries about %,.0f events/s%n", carriesPerSec);
            }
            out.println(LevelResult.table().header());
            for (int round = 0; round < rounds; round++) {
                for (LevelOffer offer : offers) {
                    String topic = "calibrate-" + round + "-" + offer.level().number();
                    LoadResult result =
                            load.run(offer.spec(topic, smoke ? SMOKE_SECONDS : seconds, carriesPerSec, config()));
                    resultFile.lookAtServers();
                    verified &= result.isVerified();
                    LevelResult line = LevelResult.of(round + 1, offer, result);
                    results.add(line);
                    out.println(LevelResult.table().row(line.row()));
                    out.flush();
                }
            }
            List<Path> filled = filesOf(stack.calibration().resolve("calibrate"));
            show(filled, results, out, verified);
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

    private Map<String, String> config() {
        return bulk ? Map.of("bulk.enabled", "true") : Map.of();
    }

    /** As fast as it goes, by a connector of another name: what it learns there is not to be kept. */
    private LoadResult probe(LoadRun load) {
        int events = smoke ? SMOKE_PROBE_EVENTS : PROBE_EVENTS;
        return load.run(LoadSpec.saturating(
                "calibrate-probe", "calibrate-probe", Delivery.EXACTLY_ONCE, events, events / 4, config()));
    }

    private void show(List<Path> files, List<LevelResult> results, PrintWriter out, boolean verified)
            throws IOException {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("verified", verified);
        if (!results.isEmpty()) {
            json.put("levels", results.stream().map(LevelResult::json).toList());
        }
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
