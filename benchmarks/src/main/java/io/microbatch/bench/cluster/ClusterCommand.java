package io.microbatch.bench.cluster;

import io.microbatch.bench.VerifyingCommand;
import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.LoadResult;
import io.microbatch.bench.load.LoadRun;
import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.Medians;
import io.microbatch.bench.load.Settings;
import io.microbatch.testbed.oracle.Findings;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench cluster}: exits with 0 when every event of both connectors was verified. */
@Command(
        name = "cluster",
        sortOptions = false,
        description = {
            "The adaptive connector against one event a poll, at saturation and exactly once, on brokers and workers"
                    + " that run already, such as those of docker/compose.yaml.",
            "",
            "100-byte random events, one topic partition, the same generator, converter and producer settings for"
                    + " both, in turns. Every event is read back by a read_committed consumer; the figure is events per"
                    + " second as it gets them, the tail included.",
            ""
        })
public final class ClusterCommand extends VerifyingCommand {

    /** What one event a transaction manages in five seconds or so, and in thirty. */
    private static final int QUICK_NAIVE_EVENTS = 500;

    private static final int NAIVE_EVENTS = 3_000;

    private static final int QUICK_ADAPTIVE_EVENTS = 1_000_000;
    private static final int ADAPTIVE_EVENTS = 4_000_000;

    private static final int ROUNDS = 3;

    @Option(names = "--bootstrap-servers", required = true, paramLabel = "HOST:PORT", description = "the brokers")
    private String bootstrapServers;

    @Option(
            names = "--connect",
            required = true,
            paramLabel = "URL",
            description = "the REST interface of a worker with exactly.once.source.support=enabled and both connectors")
    private URI connect;

    @Option(
            names = "--calibration",
            paramLabel = "DIRECTORY",
            defaultValue = "/var/lib/microbatch",
            description = "where the workers may write what is learned (default: ${DEFAULT-VALUE})")
    private String calibration;

    @Option(names = "--quick", description = "one round of fewer events, to see that it works")
    private boolean quick;

    private int runs;

    @Override
    protected Map<String, Object> measure() {
        measuredOn(bootstrapServers);
        Tally naive = new Tally("naive", quick ? QUICK_NAIVE_EVENTS : NAIVE_EVENTS, Settings.baseline(1));
        Tally adaptive = new Tally("adaptive", quick ? QUICK_ADAPTIVE_EVENTS : ADAPTIVE_EVENTS, Settings.adaptive());
        int rounds = quick ? 1 : ROUNDS;
        if (!quick) {
            // Warms up the workers' JVMs and counts for nothing but the check.
            run(adaptive, false);
        }
        for (int round = 1; round <= rounds; round++) {
            run(naive, true);
            run(adaptive, true);
        }
        say(naive.text());
        say(adaptive.text());
        double ratio = naive.perSec() == 0 ? 0 : adaptive.perSec() / (double) naive.perSec();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("naive_per_s", naive.perSec());
        json.put("adaptive_per_s", adaptive.perSec());
        json.put("ratio", Math.round(ratio * 10) / 10.0);
        json.put("rounds", rounds);
        json.put("naive", naive.json());
        json.put("adaptive", adaptive.json());
        say(String.format(Locale.ROOT, "adaptive is %,.1f x naive", ratio));
        return json;
    }

    private void run(Tally tally, boolean counts) {
        LoadSpec spec = LoadSpec.saturating(
                "bench-" + tally.name,
                "bench-" + tally.name + "-" + runs++,
                Delivery.EXACTLY_ONCE,
                tally.events,
                tally.events / 10,
                Settings.withProducer(tally.settings));
        LoadResult result =
                LoadRun.onCluster(bootstrapServers, connect, calibration, out()).run(spec);
        tally.add(result, note(result.isVerified()) && counts);
        say(String.format(
                Locale.ROOT, "%-8s %,12.0f events/s%s", tally.name, result.perSec(), counts ? "" : " (warm-up)"));
    }

    /** What all rounds of one connector have shown. One thread. */
    private static final class Tally {

        private final String name;
        /** Of a round. */
        private final int events;

        private final Map<String, String> settings;
        private final List<Double> perSec = new ArrayList<>();
        private Findings found = Findings.NONE;

        Tally(String name, int events, Map<String, String> settings) {
            this.name = name;
            this.events = events;
            this.settings = settings;
        }

        void add(LoadResult result, boolean measured) {
            found = found.plus(result.first().findings());
            if (measured) {
                perSec.add(result.perSec());
            }
        }

        /** The median of the rounds that were verified and count. 0 when there is none. */
        long perSec() {
            return Math.round(Medians.of(perSec));
        }

        String text() {
            return String.format(
                    Locale.ROOT, "%-8s %,12d events/s, of %,d events %s", name, perSec(), found.events(), found);
        }

        Map<String, Object> json() {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("events", found.events());
            json.put("lost", found.lost());
            json.put("duplicated", found.duplicated());
            json.put("reordered", found.reordered());
            json.put("per_s", perSec.stream().map(Math::round).toList());
            return json;
        }
    }
}
