package io.microbatch.bench.scenario;

import io.microbatch.bench.profile.Workload;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code bench scenario hot-path}: exits with 0 when every event was verified. */
@Command(
        name = "hot-path",
        sortOptions = false,
        description = {
            "A steady rate that one task attains: how old is an event when it is acknowledged, and when it is read?",
            "",
            "One event a poll, this connector with T = 5 ms, and adaptive, in turns, at each rate of the workload,"
                    + " versus the latency budget of the rate; under exactly-once also one event a poll with Connect's"
                    + " transaction.boundary=interval of 50 ms and linger.ms=50 for the producer. A contender that does"
                    + " not reach a rate has no latency.",
            ""
        },
        footer = {"", Scenario.FOOTER})
public final class HotPathCommand extends Scenario {

    /** For picocli. */
    public HotPathCommand() {
        super("hot-path", "rates");
    }

    @Override
    protected List<Contender> contenders() {
        return List.of(Contender.NAIVE, Contender.INTERVAL_50_LINGER_50, Contender.FIXED, Contender.ADAPTIVE);
    }

    @Override
    protected List<Situation> situations(Workload workload) {
        return shortened(workload.ratesPerSec()).stream()
                .map(rate -> new Situation("rate", rate, workload, rate))
                .toList();
    }
}
