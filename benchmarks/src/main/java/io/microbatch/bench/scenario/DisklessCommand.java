package io.microbatch.bench.scenario;

import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.Settings;
import io.microbatch.bench.profile.Driver;
import io.microbatch.bench.profile.Workload;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench diskless}: exits with 0 when every event was verified. */
@Command(
        name = "diskless",
        sortOptions = false,
        description = {
            "What is advised for a diskless topic: many partitions, several producers, few large requests.",
            "",
            "A topic of 64 partitions, four tasks, and a proxy that answers each produce request later by the time that"
                    + " a commit to an object store takes. One request in flight for each producer. One event a poll"
                    + " and this connector, both with the worker's own producer settings and with linger.ms=100,"
                    + " batch.size=125000, max.request.size=8000000; under exactly-once one event a poll with those"
                    + " settings also has Connect's transaction.boundary=interval of 500 ms, 1 s and 2 s, and a source"
                    + " that returns all it has one of 1 s, if that is more than two delays. At a steady rate and as"
                    + " fast as it goes. A new consumer group reads each topic again when all is written.",
            ""
        },
        footer = {"", Scenario.FOOTER})
public final class DisklessCommand extends DelayedScenario {

    /** At the longest delays, one event a transaction takes seconds for a few. */
    private static final int FEW_EVENTS = 64;

    /** Shorter than the shortest interval, so that no contender commits in every poll. */
    private static final int SMOKE_DELAY_MS = 20;

    @Option(
            names = "--delays",
            paramLabel = "MS",
            split = ",",
            defaultValue = "100,250,400",
            description = "the delays in milliseconds, separated by commas; default ${DEFAULT-VALUE}")
    private List<Integer> delaysMs = List.of();

    @Option(
            names = "--tasks",
            paramLabel = "N",
            defaultValue = "4",
            description = "tasks, each with a producer; default ${DEFAULT-VALUE}")
    private int tasks;

    /** For picocli. */
    public DisklessCommand() {
        super("diskless");
    }

    @Override
    protected List<Contender> contenders() {
        return List.of(
                Contender.NAIVE,
                Contender.NAIVE_DISKLESS,
                Contender.INTERVAL_500_DISKLESS,
                Contender.INTERVAL_1000_DISKLESS,
                Contender.INTERVAL_2000_DISKLESS,
                Contender.UNBUFFERED_INTERVAL_1000_DISKLESS,
                Contender.ADAPTIVE,
                Contender.ADAPTIVE_DISKLESS);
    }

    @Override
    protected Map<String, String> common() {
        Map<String, String> common = new HashMap<>(super.common());
        common.put("tasks.max", Integer.toString(tasks));
        return common;
    }

    @Override
    protected List<Situation> situations(Workload workload) {
        if (tasks < 1 || tasks > workload.layout().sourcePartitions()) {
            throw wrong("--tasks is 1 to the source partitions of the workload, "
                    + workload.layout().sourcePartitions());
        }
        if (isSmoke()) {
            return List.of(new Situation("delay_ms", SMOKE_DELAY_MS, workload, 0));
        }
        List<Integer> delays = sensible(delaysMs);
        return delays.stream()
                .flatMap(delayMs ->
                        workload.ratesPerSec().stream().map(rate -> new Situation("delay_ms", delayMs, workload, rate)))
                .toList();
    }

    @Override
    protected int fewEvents() {
        return FEW_EVENTS;
    }

    /**
     * An event a transaction carries no rate that is worth a run: it has the run as fast as it goes. A commit takes two
     * delays and more, for the events and for the offsets. An interval that is not longer is such a transaction.
     */
    @Override
    protected boolean takesPart(Driver driver, Situation situation, Contender contender) {
        if (Settings.isByTheClock(contender.settings())) {
            return Settings.intervalMs(contender.settings()) > 2 * delayMs(situation);
        }
        return situation.ratePerSec() == 0 || driver.delivery() == Delivery.AT_LEAST_ONCE || !contender.isOneByOne();
    }

    @Override
    protected Measured run(Driver driver, Situation situation, Contender contender) {
        return situation.ratePerSec() == 0
                ? saturatedWithLatencies(driver, situation, contender)
                : super.run(driver, situation, contender);
    }

    @Override
    protected Map<Figure, Double> readAgain(LoadSpec spec) {
        return consume(spec, false).figures();
    }
}
