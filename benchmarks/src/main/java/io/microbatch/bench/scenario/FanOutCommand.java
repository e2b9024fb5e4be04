package io.microbatch.bench.scenario;

import io.microbatch.bench.load.Layout;
import io.microbatch.bench.profile.Workload;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code bench scenario fan-out}: exits with 0 when every event was verified by every group. */
@Command(
        name = "fan-out",
        sortOptions = false,
        description = {
            "1, 2 and 4 consumer groups that read everything while it is written.",
            "",
            "Latencies are over all groups, and every group checks every event. CPU is the worker's and the"
                    + " broker's; the readers share the processors with them.",
            ""
        },
        footer = {"", Scenario.FOOTER})
public final class FanOutCommand extends Scenario {

    private static final List<Integer> GROUPS = List.of(1, 2, 4);

    /** For picocli. */
    public FanOutCommand() {
        super("fan-out", "groups");
    }

    @Override
    protected List<Contender> contenders() {
        return List.of(Contender.INTERVAL_50_LINGER_50, Contender.FIXED, Contender.ADAPTIVE);
    }

    @Override
    protected List<Situation> situations(Workload workload) {
        Layout layout = workload.layout();
        return shortened(GROUPS).stream()
                .map(groups -> new Situation(
                        "consumer_groups",
                        groups,
                        workload.over(new Layout(
                                layout.topics(), layout.topicPartitions(), layout.sourcePartitions(), groups)),
                        workload.lastRate()))
                .toList();
    }
}
