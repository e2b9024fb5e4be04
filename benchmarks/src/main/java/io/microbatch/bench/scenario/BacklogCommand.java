package io.microbatch.bench.scenario;

import io.microbatch.bench.load.LoadResult;
import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.Reading;
import io.microbatch.bench.load.Regain;
import io.microbatch.bench.load.Timeline;
import io.microbatch.bench.profile.Driver;
import io.microbatch.bench.profile.Workload;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench scenario backlog}: exits with 0 when every event was verified. */
@Command(
        name = "backlog",
        sortOptions = false,
        description = {
            "A connector that is created too late: events wait for it, and more become due all the time.",
            "",
            "The drain rate counts from the request that creates the connector to the last event of the backlog at the"
                    + " reader. Live again is when a second's events come within the latency budget of the rate. Under"
                    + " exactly-once one event a poll gets a backlog of what it manages in seconds and never becomes"
                    + " live, unless Connect's transaction.boundary is an interval.",
            ""
        },
        footer = {"", Scenario.FOOTER})
public final class BacklogCommand extends Scenario {

    private static final int LIMIT_SECONDS = 120;
    private static final int MAX_EVENTS = 20_000_000;
    private static final int SMOKE_PART = 50;

    @Option(
            names = "--events",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "how many events wait; default ${DEFAULT-VALUE}")
    private int backlog;

    /** For picocli. */
    public BacklogCommand() {
        super("backlog", "backlogs");
    }

    @Override
    protected int defaultRounds() {
        return 3;
    }

    @Override
    protected List<Situation> situations(Workload workload) {
        if (backlog < 1_000 || backlog > MAX_EVENTS) {
            throw wrong("--events is 1000 to " + MAX_EVENTS);
        }
        int events = isSmoke() ? backlog / SMOKE_PART : backlog;
        return List.of(new Situation("backlog_events", events, workload, liveRate(workload)));
    }

    @Override
    protected Measured run(Driver driver, Situation situation, Contender contender) {
        Workload workload = situation.workload();
        int rate = situation.ratePerSec();
        int waiting = atMost(driver, contender, (int) situation.value());
        // A contender that is slower than the stream never becomes live.
        int live = isSlow(driver, contender) ? 0 : rate * workload.seconds();
        long beganEpochMs = System.currentTimeMillis() - waiting * 1_000L / rate;
        LoadSpec spec = spec(
                        driver,
                        situation,
                        contender,
                        Integer.toString(rate),
                        waiting + live,
                        Math.max(0, waiting - 1),
                        LIMIT_SECONDS)
                .with("upstream.synthetic.start.epoch.ms", Long.toString(beganEpochMs));
        LoadResult result = load(spec);
        Reading read = result.first();
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        figures.put(Figure.PER_SEC, waiting * 1e3 / read.warmAfterMs());
        Timeline timeline = read.timeline();
        double budgetMs = driver.budgetMs(rate);
        long calmMs = Regain.regainedMs(timeline::p99Ms, 0, timeline.size(), budgetMs);
        if (live > 0 && calmMs >= 0) {
            // The calm begins with the event that was due then, and arrived later by its latency.
            double freshEpochMs = beganEpochMs + calmMs + timeline.p99Ms((int) (calmMs / Timeline.SLICE_MS));
            figures.put(Figure.LIVE_AFTER_MS, Math.max(0, freshEpochMs - read.createdEpochMs()));
        }
        return new Measured(result, figures);
    }
}
