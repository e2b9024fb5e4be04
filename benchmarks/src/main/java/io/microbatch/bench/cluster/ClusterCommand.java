package io.microbatch.bench.cluster;

import io.microbatch.bench.Comparison;
import io.microbatch.bench.VerifyingCommand;
import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.GrowingRun;
import io.microbatch.bench.load.LoadResult;
import io.microbatch.bench.load.LoadRun;
import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.Medians;
import io.microbatch.bench.load.Settings;
import io.microbatch.testbed.oracle.Findings;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench cluster}: exits with 0 when every event of all contenders was verified. */
@Command(
        name = "cluster",
        sortOptions = false,
        description = {
            "This connector versus one event a poll and versus Connect's transaction.boundary=interval, at saturation"
                    + " and exactly once, on brokers and workers that run already, such as those of"
                    + " docker/compose.yaml.",
            "",
            "100-byte random events, one topic partition, the same generator, converter and producer settings for"
                    + " all, in rotated turns after a warm-up of each. Every event is read back by a read_committed"
                    + " consumer; the figure is events per second as it gets them, the tail included. interval_20,"
                    + " _50 and _100 return one event from each poll, unbuffered ones all they have. adaptive reads"
                    + " this connector's own generator; hosted ones are the sources of the stock contenders, hosted by"
                    + " this connector.",
            ""
        })
public final class ClusterCommand extends VerifyingCommand {

    /** What one event a transaction manages in five seconds or so, and in thirty. */
    private static final int QUICK_NAIVE_EVENTS = 500;

    private static final int NAIVE_EVENTS = 3_000;

    private static final int QUICK_EVENTS = 1_000_000;
    private static final int EVENTS = 4_000_000;

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

    @Option(
            names = "--heap",
            paramLabel = "SERVER=OPTIONS",
            description = "the heap options of the worker and the broker, for the result, such as"
                    + " --heap \"worker=-Xms256m -Xmx1g\"; unknown unless given")
    private Map<String, String> heaps = Map.of();

    @Option(names = "--quick", description = "one round of fewer events, to see that it works")
    private boolean quick;

    private int runs;

    @Override
    protected Map<String, Object> measure() {
        measuredOn(bootstrapServers);
        Map<String, String> servers = new LinkedHashMap<>(Map.of("worker", "unknown", "broker", "unknown"));
        servers.putAll(heaps);
        serversHave(servers);
        List<Tally> tallies = tallies();
        Tally naive = tallies.get(0);
        List<Tally> ours = tallies.stream().filter(Tally::isOurs).toList();
        int rounds = quick ? 1 : ROUNDS;
        // Warms up the workers' JVMs, finds how many events an interval carries, and counts for nothing but the check.
        tallies.forEach(this::warmUp);
        for (int round = 1; round <= rounds; round++) {
            for (Tally tally : Comparison.order(tallies, round - 1)) {
                measure(tally);
            }
        }
        tallies.forEach(tally -> say(tally.text()));
        Tally best = tallies.stream()
                .filter(tally -> !tally.isOurs())
                .max(Comparator.comparingLong(Tally::perSec))
                .orElseThrow();
        double ratio = ratio(ours.get(0), naive);
        Map<String, Object> json = new LinkedHashMap<>();
        tallies.forEach(tally -> json.put(tally.name + "_per_s", tally.perSec()));
        json.put("ratio", Math.round(ratio * 10) / 10.0);
        json.put("best_rival", best.name);
        json.put("ratio_to_best_rival", Math.round(ratio(ours.get(0), best) * 100) / 100.0);
        json.put("rounds", rounds);
        tallies.forEach(tally -> json.put(tally.name, tally.json()));
        say(String.format(Locale.ROOT, "adaptive is %,.1f x naive", ratio));
        ours.forEach(tally ->
                say(String.format(Locale.ROOT, "%s is %,.2f x %s", tally.name, ratio(tally, best), best.name)));
        return json;
    }

    /** The naive connector first, ours last, and of these the one with the generator first. */
    private List<Tally> tallies() {
        int most = quick ? QUICK_EVENTS : EVENTS;
        Map<String, Map<String, String>> contenders = new LinkedHashMap<>(Settings.intervals());
        contenders.put("interval_100", Settings.interval(1, 100));
        contenders.put("unbuffered_interval_100", Settings.interval(Settings.MAX_EVENTS, 100));
        contenders.put("adaptive", Settings.adaptive());
        contenders.put("hosted", Settings.hosted(Settings.baseline(1)));
        contenders.put("hosted_unbuffered", Settings.hosted(Settings.baseline(Settings.MAX_EVENTS)));
        List<Tally> tallies = new ArrayList<>();
        tallies.add(new Tally("naive", quick ? QUICK_NAIVE_EVENTS : NAIVE_EVENTS, false, Settings.baseline(1)));
        contenders.forEach(
                (name, settings) -> tallies.add(new Tally(name, most, Settings.isOneEventAPoll(settings), settings)));
        return tallies;
    }

    private static double ratio(Tally ours, Tally theirs) {
        return theirs.perSec() == 0 ? 0 : ours.perSec() / (double) theirs.perSec();
    }

    private void warmUp(Tally tally) {
        // Where a commit takes longer than the interval, each event is a transaction.
        LoadResult ignored = grow(tally, tally.mayBeSlow ? QUICK_NAIVE_EVENTS : tally.most);
    }

    /** One that was slow while the workers were cold has too few events now, so that its run may have to grow again. */
    private void measure(Tally tally) {
        LoadResult result = tally.mayBeSlow ? grow(tally, tally.events) : run(tally, tally.events);
        tally.count(result);
        say(String.format(Locale.ROOT, "%-24s %,12.0f events/s", tally.name, result.perSec()));
    }

    private LoadResult grow(Tally tally, int fewest) {
        return GrowingRun.of(fewest, tally.most, events -> {
            tally.events = events;
            return run(tally, events);
        });
    }

    private LoadResult run(Tally tally, int events) {
        LoadSpec spec = LoadSpec.saturating(
                "bench-" + tally.name.replace('_', '-'),
                "bench-" + tally.name.replace('_', '-') + "-" + runs++,
                Delivery.EXACTLY_ONCE,
                events,
                events / 10,
                Settings.withProducer(tally.settings));
        configured(tally.name, spec.settings());
        LoadResult result =
                LoadRun.onCluster(bootstrapServers, connect, calibration, out()).run(spec);
        if (result.cut()) {
            tally.events = GrowingRun.next(events, result);
        }
        boolean ignored = note(result.isSound(spec.isStock()));
        tally.add(result);
        // A few events may all come with one commit, so that a run that only warms up or grows has no rate.
        say(String.format(Locale.ROOT, "%-24s run of %,d events", tally.name, events));
        return result;
    }

    /** What all rounds of one connector have shown. One thread. */
    private static final class Tally {

        private final String name;
        /** Whether each event may be a transaction, so that nobody knows how many are carried in some seconds. */
        private final boolean mayBeSlow;

        private final Map<String, String> settings;
        /** Of any run. */
        private final int most;

        private final List<Double> perSec = new ArrayList<>();
        private final List<Long> measuredEvents = new ArrayList<>();
        /** Of the next run. */
        private int events;

        private Findings found = Findings.NONE;
        /** Runs that did not end in time, the warm-up among them. */
        private int collapsed;

        Tally(String name, int events, boolean mayBeSlow, Map<String, String> settings) {
            this.name = name;
            this.most = events;
            this.events = events;
            this.mayBeSlow = mayBeSlow;
            this.settings = settings;
        }

        boolean isOurs() {
            return !Settings.isStock(settings);
        }

        void add(LoadResult result) {
            found = found.plus(result.sent());
            collapsed += result.cut() ? 1 : 0;
        }

        void count(LoadResult result) {
            if (result.isSound(!isOurs())) {
                perSec.add(result.perSec());
                measuredEvents.add(result.first().measured());
            }
        }

        /** The median of the rounds that were verified and count. 0 when there is none. */
        long perSec() {
            return Math.round(Medians.of(perSec));
        }

        String text() {
            return String.format(
                    Locale.ROOT, "%-24s %,12d events/s, of %,d events %s", name, perSec(), found.events(), found);
        }

        Map<String, Object> json() {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("events", found.events());
            json.put("lost", found.lost());
            json.put("duplicated", found.duplicated());
            json.put("reordered", found.reordered());
            json.put("collapsed_runs", collapsed);
            json.put("per_s", perSec.stream().map(Math::round).toList());
            json.put("measured_events", measuredEvents);
            return json;
        }
    }
}
