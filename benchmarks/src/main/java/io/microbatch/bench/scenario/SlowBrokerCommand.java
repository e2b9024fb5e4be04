package io.microbatch.bench.scenario;

import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.GrowingRun;
import io.microbatch.bench.load.LoadResult;
import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.Settings;
import io.microbatch.bench.profile.Driver;
import io.microbatch.bench.profile.Workload;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench scenario slow-broker}: exits with 0 when every event was verified. */
@Command(
        name = "slow-broker",
        sortOptions = false,
        description = {
            "A broker whose storage takes long: every answer to a produce request comes later by a delay.",
            "",
            "That is what a diskless broker does, which writes to an object store. One topic partition, one request in"
                    + " flight, one event a poll versus the adaptive connector, at saturation, in both delivery modes;"
                    + " under exactly-once also Connect's transaction.boundary=interval of 20 and 50 ms, for a source"
                    + " that returns one event from each poll and for one that returns all it has, and of 50 ms with"
                    + " linger.ms=50 for the first. The producer's batches have their default of 16 KB, and 1 MB for"
                    + " the settings whose names end with large_batches; with these there are also intervals of 200"
                    + " and 1,000 ms, and the source with one event a poll hosted by this connector: as it is, with an"
                    + " interval of 1,000 ms, and with fixed batches of 50,000 events. A proxy between worker and"
                    + " broker delays the answers; the consumer that checks every event goes to the broker directly.",
            "",
            "Figures are absolute: events/s that remain. Where a commit takes longer than the interval, or where each"
                    + " event is a transaction, a run has as few events as take some seconds, 20 at least.",
            ""
        },
        footer = {"", Scenario.FOOTER})
public final class SlowBrokerCommand extends DelayedScenario {

    private static final int LIMIT_SECONDS = 180;
    private static final int SECONDS = 10;
    private static final int SMOKE_SECONDS = 1;
    private static final int MAX_EVENTS = 1_000_000;

    /** What one event a transaction manages in seconds, at the longest delays in many of them. */
    private static final int FEW_EVENTS = 20;

    /** How long a produce request takes without any delay. */
    private static final int OWN_MS = 5;

    private static final int DEFAULT_BATCH_BYTES = 16_384;

    @Option(
            names = "--delays",
            paramLabel = "MS",
            split = ",",
            defaultValue = "10,100,250,400",
            description = "the delays in milliseconds, separated by commas; default ${DEFAULT-VALUE}")
    private List<Integer> delaysMs;

    /** For picocli. */
    public SlowBrokerCommand() {
        super("slow-broker");
    }

    @Override
    protected List<Contender> contenders() {
        return List.of(
                Contender.NAIVE,
                Contender.INTERVAL_20,
                Contender.INTERVAL_50,
                Contender.INTERVAL_50_LINGER_50,
                Contender.UNBUFFERED_INTERVAL_20,
                Contender.UNBUFFERED_INTERVAL_50,
                Contender.ADAPTIVE,
                Contender.NAIVE_LARGE_BATCHES,
                Contender.UNBUFFERED_LARGE_BATCHES,
                Contender.UNBUFFERED_INTERVAL_50_LARGE_BATCHES,
                Contender.UNBUFFERED_INTERVAL_1000_LARGE_BATCHES,
                Contender.INTERVAL_200_LARGE_BATCHES,
                Contender.INTERVAL_1000_LARGE_BATCHES,
                Contender.ADAPTIVE_LARGE_BATCHES,
                Contender.HOSTED_LARGE_BATCHES,
                Contender.HOSTED_INTERVAL_1000_LARGE_BATCHES,
                Contender.HOSTED_FIXED_50000_LARGE_BATCHES);
    }

    /** Where each event is a transaction, the size of a batch makes no difference. */
    @Override
    protected boolean takesPart(Driver driver, Situation situation, Contender contender) {
        return contender != Contender.NAIVE_LARGE_BATCHES || driver.delivery() == Delivery.AT_LEAST_ONCE;
    }

    @Override
    protected List<Situation> situations(Workload workload) {
        return shortened(sensible(delaysMs)).stream()
                .map(delayMs -> new Situation("delay_ms", delayMs, workload, 0))
                .toList();
    }

    @Override
    protected Measured run(Driver driver, Situation situation, Contender contender) {
        int batchBytes = Integer.parseInt(
                contender.settings().getOrDefault(Contender.BATCH_SIZE, Integer.toString(DEFAULT_BATCH_BYTES)));
        int most = events((int) situation.value(), batchBytes, situation.workload());
        // A commit that takes longer than the interval makes every poll a transaction.
        boolean mayBeSlow = Settings.isByTheClock(contender.settings()) && contender.isOneByOne();
        // With small batches, at saturation, the first interval would take all events of a run, with no commit behind
        // another. A run with large ones lasts for several intervals.
        boolean paced = mayBeSlow && batchBytes == DEFAULT_BATCH_BYTES;
        int first = mayBeSlow || isSlow(driver, contender) ? FEW_EVENTS : most;
        String rate = paced ? Integer.toString(Math.max(1, most / seconds())) : LoadSpec.UNLIMITED;
        LoadResult result = GrowingRun.of(first, most, events -> {
            LoadResult each = load(spec(driver, situation, contender, rate, events, 0, LIMIT_SECONDS));
            boolean ignored = note(each.isSound(contender.isForeign()));
            return each;
        });
        return new Measured(result, new EnumMap<>(Map.of(Figure.PER_SEC, result.perSecSinceDue())));
    }

    private int seconds() {
        return isSmoke() ? SMOKE_SECONDS : SECONDS;
    }

    /** As many as one request in flight, of the producer's largest batch, carries in a few seconds. */
    private int events(int delayMs, int batchBytes, Workload workload) {
        long requests = seconds() * 1_000L / (delayMs + OWN_MS);
        int perRequest = Math.max(1, batchBytes / workload.meanBytes());
        return (int) Math.min(MAX_EVENTS, Math.max(FEW_EVENTS, requests * perRequest));
    }
}
