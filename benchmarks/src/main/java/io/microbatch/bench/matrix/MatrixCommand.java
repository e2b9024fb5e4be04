package io.microbatch.bench.matrix;

import io.microbatch.bench.BenchHome;
import io.microbatch.bench.QuickOrFull;
import io.microbatch.bench.VerifyingCommand;
import io.microbatch.testbed.PluginArchive;
import io.microbatch.testbed.WorkDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench matrix}: exits with 0 when the connector did in every cell what it promises. */
@Command(
        name = "matrix",
        sortOptions = false,
        description = {
            "Tries the packaged connector on releases of Kafka and Connect from 3.9 to 4.3, on Java 17 and the"
                    + " newest Java of this machine, and with releases of Debezium from 3.4 to 3.6. Maven resolves the"
                    + " releases, which needs a network at the first time.",
            "",
            "In each cell: plugins and validation by REST, the generator with a transform and with bulk records, each"
                    + " restarted in between, the metrics, and Debezium for PostgreSQL plain, hosted and plain again,"
                    + " all exactly once, each event checked. --quick is the oldest release on the oldest Java and the"
                    + " newest on the newest. --full is every release on both Javas, the oldest worker with the newest"
                    + " broker and the reverse, and three lines of Debezium on the newest worker with the newest"
                    + " PostgreSQL.",
            ""
        },
        footer = {"", "Exit codes: 0 verified, 1 not verified or failed, 2 wrong command line."})
public final class MatrixCommand extends VerifyingCommand {

    private static final String LOGS = "matrix-logs";

    @ArgGroup(multiplicity = "1")
    private QuickOrFull extent;

    @Option(names = "--java", paramLabel = "DIR", description = "a further Java, if it is in an unusual place")
    private List<Path> javas = List.of();

    @Option(names = "--only", paramLabel = "N", split = ",", description = "only these cells, by number from 1")
    private List<Integer> only = List.of();

    @Override
    protected Map<String, Object> measure() throws IOException {
        List<InstalledJava> installed = InstalledJava.oldestAndNewest(javas);
        List<Cell> cells = extent.isQuick() ? Cell.ends(installed) : Cell.all(installed);
        if (!only.stream().allMatch(number -> number >= 1 && number <= cells.size())) {
            throw wrong("--only names cells from 1 to " + cells.size());
        }
        ReleaseFiles files = new ReleaseFiles(BenchHome.root().resolve("benchmarks/target/releases"));
        List<Map<String, Object>> results = new ArrayList<>();
        try (WorkDirectory work = WorkDirectory.createOnFreeDisk("microbatch-matrix")) {
            Path plugins = work.path().resolve("plugins");
            PluginArchive.unpack(BenchHome.archive(), plugins);
            try (Databases databases = new Databases(work.path(), files, cells.size())) {
                for (int number = 1; number <= cells.size(); number++) {
                    if (only.isEmpty() || only.contains(number)) {
                        Cell cell = cells.get(number - 1);
                        String name = "cell_" + number;
                        say("cell " + number + " of " + cells.size() + ": " + cell.text());
                        CellResult result =
                                CellRun.run(cell, work.path().resolve(name), plugins, files, databases, name);
                        say("  " + result.text());
                        if (!note(result.isVerified())) {
                            keepLogs(work.path(), LOGS);
                        }
                        results.add(result.toJson());
                    }
                }
            }
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("cells", results);
        return json;
    }
}
