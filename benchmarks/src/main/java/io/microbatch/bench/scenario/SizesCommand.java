package io.microbatch.bench.scenario;

import io.microbatch.bench.profile.Workload;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code bench scenario sizes}: exits with 0 when every event was verified. */
@Command(
        name = "sizes",
        sortOptions = false,
        description = {
            "Events of 1, 10 and 100 KB at saturation, in both delivery modes.",
            "",
            "One event a poll, this connector with fixed settings, adaptive, and a source that buffers nothing and"
                    + " makes 16 MB a poll, in turns, the same producer settings for all. With large events a batch"
                    + " is bound by its bytes.",
            ""
        },
        footer = {"", Scenario.FOOTER})
public final class SizesCommand extends Scenario {

    private static final List<Integer> SIZES = List.of(1_000, 10_000, 100_000);

    /** For picocli. */
    public SizesCommand() {
        super("sizes", "sizes");
    }

    @Override
    protected List<Contender> contenders() {
        return List.of(Contender.NAIVE, Contender.FIXED, Contender.ADAPTIVE, Contender.UNBUFFERED);
    }

    @Override
    protected List<Situation> situations(Workload workload) {
        return shortened(SIZES).stream()
                .map(size -> new Situation("size_bytes", size, workload.of(Integer.toString(size)), 0))
                .toList();
    }
}
