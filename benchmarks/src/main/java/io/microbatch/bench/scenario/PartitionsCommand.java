package io.microbatch.bench.scenario;

import io.microbatch.bench.load.Layout;
import io.microbatch.bench.profile.Workload;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code bench scenario partitions}: exits with 0 when every event was verified. */
@Command(
        name = "partitions",
        sortOptions = false,
        description = {
            "Topics of 1, 3, 6 and 12 partitions: what does a batch cost that is spread over many?",
            "",
            "The same source partitions, keyed, through one task. The more partitions there are, the more requests a"
                    + " batch becomes, and the more partitions a transaction has to mark.",
            ""
        },
        footer = {"", Scenario.FOOTER})
public final class PartitionsCommand extends Scenario {

    private static final List<Integer> PARTITIONS = List.of(1, 3, 6, 12);

    /** Enough that the largest topic has some in every partition. */
    private static final int KEYS = 96;

    /** For picocli. */
    public PartitionsCommand() {
        super("partitions", "partitions");
    }

    @Override
    protected List<Situation> situations(Workload workload) {
        Layout layout = workload.layout();
        int keys = Math.max(KEYS, layout.sourcePartitions());
        return shortened(PARTITIONS).stream()
                .map(partitions -> new Situation(
                        "topic_partitions",
                        partitions,
                        workload.over(new Layout(layout.topics(), partitions, keys, layout.groups())),
                        workload.lastRate()))
                .toList();
    }
}
