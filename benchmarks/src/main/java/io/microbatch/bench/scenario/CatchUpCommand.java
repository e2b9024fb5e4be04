package io.microbatch.bench.scenario;

import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.profile.Workload;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code bench catch-up}: exits with 0 when every event was verified, each of the three times that it was read. */
@Command(
        name = "catch-up",
        sortOptions = false,
        description = {
            "A consumer group that begins when all is written: how fast does it read, warm and cold?",
            "",
            "Each contender fills a topic at the same steady rate: one event a poll with an interval and a linger of"
                    + " 50 ms and of 100 ms, all that is due in each poll with an interval of 50 ms, this connector by"
                    + " default, with a target of 100 ms, and with bulk records. A new consumer group then reads the"
                    + " topic from its beginning, and another one after a restart of the broker, when the page cache"
                    + " has nothing of the topic any more. The first figures are those of writing, as a group sees it"
                    + " that reads along.",
            ""
        },
        footer = {"", Scenario.FOOTER})
public final class CatchUpCommand extends Scenario {

    private boolean cacheStayed;

    /** For picocli. */
    public CatchUpCommand() {
        super("catch-up", "topics");
    }

    @Override
    protected List<Contender> contenders() {
        return List.of(
                Contender.INTERVAL_50_LINGER_50,
                Contender.INTERVAL_100_LINGER_100,
                Contender.UNBUFFERED_INTERVAL_50,
                Contender.ADAPTIVE,
                Contender.TARGET_100,
                Contender.BULK);
    }

    @Override
    protected List<String> drivers() {
        return List.of("durable");
    }

    @Override
    protected List<Situation> situations(Workload workload) {
        return workload.ratesPerSec().stream()
                .map(rate -> new Situation("rate", rate, workload, rate))
                .toList();
    }

    @Override
    protected Map<Figure, Double> readAgain(LoadSpec spec) {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        figures.putAll(consume(spec, false).figures());
        Consumption cold = consume(spec, true);
        figures.putAll(cold.figures());
        if (!cold.cacheProblem().isEmpty() && !cacheStayed) {
            cacheStayed = true;
            say("  The page cache was not dropped, so that cold means restarted only: " + cold.cacheProblem());
        }
        return figures;
    }

    /** Whether what is called cold was read from the disk. */
    @Override
    protected Map<String, Object> notes() {
        return Map.of("page_cache_dropped", !cacheStayed);
    }
}
