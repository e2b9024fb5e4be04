package io.microbatch.bench.scenario;

import io.microbatch.bench.load.LoadResult;
import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.LoadStack;
import io.microbatch.bench.profile.Driver;
import io.microbatch.bench.profile.Workload;
import io.microbatch.testbed.FaultProxy;
import java.nio.file.Path;
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
                    + " the producer's batches at their default of 16 KB, and at 1 MB for the adaptive connector."
                    + " A proxy between worker and broker delays the answers; the consumer that checks every event goes"
                    + " to the broker directly.",
            ""
        },
        footer = {"", Scenario.FOOTER})
public final class SlowBrokerCommand extends Scenario {

    private static final int LIMIT_SECONDS = 180;
    private static final int SECONDS = 10;
    private static final int SMOKE_SECONDS = 1;
    private static final int MAX_EVENTS = 400_000;

    /** What one event a transaction manages in seconds. */
    private static final int FEW_EVENTS = 20;

    /** How long a produce request takes without any delay. */
    private static final int OWN_MS = 5;

    private static final int DEFAULT_BATCH_BYTES = 16_384;
    private static final int LARGE_BATCH_BYTES = 1_000_000;

    @Option(
            names = "--delays",
            paramLabel = "MS",
            split = ",",
            defaultValue = "10,100,250,400",
            description = "the delays in milliseconds, separated by commas; default ${DEFAULT-VALUE}")
    private List<Integer> delaysMs;

    private FaultProxy proxy;

    /** For picocli. */
    public SlowBrokerCommand() {
        super("slow-broker", "delays");
    }

    @Override
    protected List<Contender> contenders() {
        return List.of(Contender.NAIVE, Contender.ADAPTIVE, Contender.ADAPTIVE_LARGE_BATCHES);
    }

    /** The worker's own settings: the size of a producer's batch is what this is about. */
    @Override
    protected List<String> drivers() {
        return List.of("exactly-once", "at-least-once");
    }

    @Override
    protected int defaultRounds() {
        return 1;
    }

    @Override
    protected List<Situation> situations(Workload workload) {
        if (delaysMs.stream().anyMatch(ms -> ms < 0 || ms > 5_000)) {
            throw wrong("--delays are 0 to 5000 ms");
        }
        return shortened(delaysMs).stream()
                .map(delayMs -> new Situation("delay_ms", delayMs, workload, 0))
                .toList();
    }

    /** The worker starts, and its JVM becomes warm, on a fast broker. */
    @Override
    protected void enter(Situation situation) {
        proxy.delayProduce(situation == null ? 0 : (int) situation.value());
    }

    @Override
    protected LoadStack start(Path work) {
        proxy = FaultProxy.listenForKafka();
        return LoadStack.startBehind(proxy, work);
    }

    @Override
    protected Measured run(Driver driver, Situation situation, Contender contender) {
        int batchBytes = contender == Contender.ADAPTIVE_LARGE_BATCHES ? LARGE_BATCH_BYTES : DEFAULT_BATCH_BYTES;
        int most = events((int) situation.value(), batchBytes, situation.workload());
        int events = isSlow(driver, contender) ? FEW_EVENTS : most;
        LoadSpec spec = spec(driver, situation, contender, LoadSpec.UNLIMITED, events, 0, LIMIT_SECONDS)
                .with("producer.override.max.in.flight.requests.per.connection", "1");
        LoadResult result = load(spec);
        return new Measured(result, new EnumMap<>(Map.of(Figure.PER_SEC, result.perSecSinceDue())));
    }

    /** As many as one request in flight, of the producer's largest batch, carries in a few seconds. */
    private int events(int delayMs, int batchBytes, Workload workload) {
        long requests = (isSmoke() ? SMOKE_SECONDS : SECONDS) * 1_000L / (delayMs + OWN_MS);
        int perRequest = Math.max(1, batchBytes / workload.meanBytes());
        return (int) Math.min(MAX_EVENTS, Math.max(FEW_EVENTS, requests * perRequest));
    }
}
