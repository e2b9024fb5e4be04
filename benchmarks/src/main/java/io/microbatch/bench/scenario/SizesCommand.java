package io.microbatch.bench.scenario;

import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.LoadStack;
import io.microbatch.bench.profile.Driver;
import io.microbatch.bench.profile.Workload;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench scenario sizes}: exits with 0 when every event was verified. */
@Command(
        name = "sizes",
        sortOptions = false,
        description = {
            "Events of 1, 10 and 100 KB, or of other sizes, at saturation, in both delivery modes.",
            "",
            "One event a poll, a source that buffers nothing and makes 16 MB a poll, this connector with fixed"
                    + " settings, and adaptive, in turns, the same producer settings for all. Under exactly-once the"
                    + " first two also with Connect's transaction.boundary=interval of 50 ms, the first with"
                    + " linger.ms=50. With large events a batch is bound by its bytes. A new consumer group reads each"
                    + " topic again when all is written.",
            "",
            "From about 1 MB on the producers get max.request.size and buffer.memory, and the broker gets"
                    + " message.max.bytes and replica.fetch.max.bytes, for the largest size of the list. The result"
                    + " has them.",
            ""
        },
        footer = {"", Scenario.FOOTER})
public final class SizesCommand extends Scenario {

    /** The header of an event takes these. */
    private static final int MIN_BYTES = 40;

    /** However large they are, a run has some. */
    private static final int MIN_EVENTS = 20;

    @Option(
            names = "--sizes",
            paramLabel = "BYTES",
            split = ",",
            defaultValue = "1000,10000,100000",
            description = "the sizes in bytes, separated by commas; default ${DEFAULT-VALUE}")
    private List<Integer> sizes = List.of();

    /** For picocli. */
    public SizesCommand() {
        super("sizes", "sizes");
    }

    @Override
    protected List<Situation> situations(Workload workload) {
        if (sizes.stream().anyMatch(size -> size < MIN_BYTES || size > RecordLimits.MAX_BYTES)) {
            throw wrong("--sizes are " + MIN_BYTES + " to " + RecordLimits.MAX_BYTES + " bytes");
        }
        return shortened(sizes).stream()
                .map(size -> new Situation("size_bytes", size, workload.of(size, MIN_EVENTS), 0))
                .toList();
    }

    private RecordLimits limits() {
        return new RecordLimits(Collections.max(sizes));
    }

    @Override
    protected Map<String, String> common() {
        return limits().producer();
    }

    @Override
    protected LoadStack start(Path work) {
        return LoadStack.start(work, limits().broker());
    }

    @Override
    protected Map<String, Object> notes() {
        return Map.of("broker_settings", limits().broker());
    }

    @Override
    protected Measured run(Driver driver, Situation situation, Contender contender) {
        return saturatedWithLatencies(driver, situation, contender);
    }

    @Override
    protected Map<Figure, Double> readAgain(LoadSpec spec) {
        return consume(spec, false).figures();
    }
}
