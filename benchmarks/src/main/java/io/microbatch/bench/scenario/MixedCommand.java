package io.microbatch.bench.scenario;

import io.microbatch.bench.profile.Workload;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code bench scenario mixed}: exits with 0 when every event was verified. */
@Command(
        name = "mixed",
        sortOptions = false,
        description = {
            "Many topics and sizes through one task: events of 64 bytes to 10 KB into twelve topics of two partitions.",
            "",
            "As of a database with many tables: a batch, and under exactly-once a transaction, spans them all. At a"
                    + " rate and as fast as it goes (rate 0).",
            ""
        },
        footer = {"", Scenario.FOOTER})
public final class MixedCommand extends Scenario {

    /** For picocli. */
    public MixedCommand() {
        super("mixed", "rates");
    }

    @Override
    protected List<Situation> situations(Workload workload) {
        return workload.ratesPerSec().stream()
                .map(rate -> new Situation("rate", rate, workload, rate))
                .toList();
    }
}
