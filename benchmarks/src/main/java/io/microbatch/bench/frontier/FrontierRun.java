package io.microbatch.bench.frontier;

import io.microbatch.bench.Comparison;
import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.Layout;
import io.microbatch.bench.load.LoadResult;
import io.microbatch.bench.load.LoadRun;
import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.LoadStack;
import io.microbatch.bench.load.Promise;
import io.microbatch.bench.load.Settings;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** Lets the contenders take turns on one stack. One thread. */
final class FrontierRun {

    private final Function<LoadSpec, LoadResult> load;
    private final Delivery delivery;
    private final Lengths lengths;
    private final PrintWriter out;
    private boolean verified = true;
    private int runs;

    /** Progress goes to the writer. */
    FrontierRun(LoadStack stack, Delivery delivery, Lengths lengths, PrintWriter out) {
        // A run that was cut off is no failure here, so this class says itself what a run has shown.
        this(new LoadRun(stack, new PrintWriter(Writer.nullWriter()))::run, delivery, lengths, out);
    }

    /** The same with another way to carry out a run. */
    FrontierRun(Function<LoadSpec, LoadResult> load, Delivery delivery, Lengths lengths, PrintWriter out) {
        this.load = load;
        this.delivery = delivery;
        this.lengths = lengths;
        this.out = out;
    }

    /** Whether every run so far has shown what its source committed, as promised. */
    boolean isVerified() {
        return verified;
    }

    /**
     * Of events and of transactions: a worker's first ten thousand of either take several times as long as later ones.
     */
    void warmUp() {
        Turn events = run("warm-up-events", "warm-up", 20_000, 0, 10, Settings.fixed(20), false);
        Turn interval = run("warm-up-interval", "warm-up", 5_000, 0, 10, Settings.interval(1, 20), true);
        // A transaction for nearly each event does not keep up where commits are slow.
        Turn transactions = run("warm-up-commits", "warm-up", 300, 0, 20, Settings.fixed(1), true);
        say(String.format(
                Locale.ROOT,
                "warmed up at %,.0f/s, %,.0f/s and, with an interval, %,.0f/s",
                events.perSec(),
                transactions.perSec(),
                interval.perSec()));
    }

    /**
     * Measures these contenders at a rate: each once to learn or to become warm, then rounds in which they take turns.
     *
     * @param place what tells this rate from the same one elsewhere, for the names of connectors; may be empty
     */
    AtRate measure(int rate, String place, List<Contender> all, int rounds) {
        List<Contender> contenders =
                all.stream().filter(each -> rate <= each.maxRate()).toList();
        Map<Contender, List<Turn>> turns = new LinkedHashMap<>();
        for (Contender each : contenders) {
            turns.put(each, new ArrayList<>());
            int seconds = each.learns() ? lengths.learn() : Lengths.WARM_UP;
            Turn ignored = run(
                    name(each, rate, place), "before the rounds", rate, 0, seconds, each.settings(), each.isStock());
        }
        for (int round = 0; round < rounds; round++) {
            for (Contender each : Comparison.order(contenders, round)) {
                String when = "round " + (round + 1) + " of " + rounds;
                turns.get(each)
                        .add(run(
                                name(each, rate, place),
                                when,
                                rate,
                                lengths.settle(),
                                lengths.secondsAt(rate),
                                each.settings(),
                                each.isStock()));
            }
        }
        List<Standing> standings = new ArrayList<>();
        turns.forEach((contender, shown) -> standings.add(new Standing(contender, List.copyOf(shown))));
        return new AtRate(rate, standings);
    }

    /** The same one in every run at a rate, so that a connector keeps what it learned. */
    private static String name(Contender contender, int rate, String place) {
        return contender.name() + "-at-" + rate + place;
    }

    private Turn run(
            String connector,
            String when,
            int rate,
            int settle,
            int seconds,
            Map<String, String> settings,
            boolean mayBeLate) {
        LoadResult result =
                load.apply(spec(connector, "frontier-" + runs++, delivery, rate, settle, seconds, settings));
        Turn turn = Turn.of(result, rate, mayBeLate);
        verified &= turn.verified();
        say(String.format(Locale.ROOT, "  %-28s %-18s %s", connector, when, text(turn, result)));
        return turn;
    }

    private static LoadSpec spec(
            String connector,
            String topic,
            Delivery delivery,
            int rate,
            int settle,
            int seconds,
            Map<String, String> settings) {
        int whole = settle + seconds + Lengths.COOL_DOWN;
        return new LoadSpec(
                connector,
                topic,
                delivery,
                Integer.toString(rate),
                Math.multiplyExact(rate, whole),
                rate * settle,
                whole + Lengths.GRACE,
                settings,
                Layout.SINGLE,
                Promise.EXACT,
                rate * Lengths.COOL_DOWN);
    }

    /** Everything that a contender is configured with, but for what differs from run to run. */
    static Map<String, String> completeSettings(Contender contender, Delivery delivery) {
        return spec("", "", delivery, 1, 0, 1, contender.settings()).settings();
    }

    private static String text(Turn turn, LoadResult result) {
        if (!turn.verified()) {
            return "NOT VERIFIED: " + result.text();
        }
        if (!turn.carried()) {
            return String.format(
                    Locale.ROOT,
                    "not carried, %,.0f/s%s",
                    turn.perSec(),
                    turn.cut()
                            ? "; cut at the time limit, when the source had not sent its last "
                                    + result.findings().lostTail() + " events"
                            : "");
        }
        return String.format(
                Locale.ROOT,
                "p50 %,.1f ms, p99 %,.1f ms, CPU %,.1f s/M, %,.1f transactions/s",
                turn.p50Ms(),
                turn.p99Ms(),
                turn.cpu(),
                turn.tps());
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
