package io.microbatch.bench.control;

import io.microbatch.bench.Comparison;
import io.microbatch.bench.QuickOrFull;
import io.microbatch.bench.VerifyingCommand;
import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.LoadResult;
import io.microbatch.bench.load.LoadRun;
import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.LoadStack;
import io.microbatch.bench.load.Settings;
import io.microbatch.bench.load.TransactionalProducer;
import io.microbatch.testbed.WorkDirectory;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;

/** {@code bench compare}: exits with 0 when every event of every contender was verified. */
@Command(
        name = "compare",
        sortOptions = false,
        description = {
            "How much a worker moves at saturation: one event a poll, a fixed setting, the adaptive one, a source that"
                    + " buffers nothing, and a producer without Connect.",
            "",
            "100-byte random events, one topic partition, the same converter and producer settings for all, in turns."
                    + " Every event is read back by a read_committed consumer; the figure is events per second as it"
                    + " gets them, the tail included.",
            ""
        })
public final class CompareCommand extends VerifyingCommand {

    private static final double FIXED_LINGER_MS = 5;

    /** The result of tuning by hand: with more, a batch is all that a stripe holds, and reader and task take turns. */
    private static final int FIXED_EVENTS = 20_000;

    private static final int QUICK_EVENTS = 2_000_000;

    /** The first round has as many: a worker's JVM takes that long to compile what it runs. */
    private static final int FULL_EVENTS = 4_000_000;

    /** What one event a transaction manages in seconds. */
    private static final int SLOW_EVENTS = 1_000;

    @ArgGroup(multiplicity = "1")
    private QuickOrFull extent;

    private int runs;

    /** What is compared. */
    private enum CompareContender {
        NAIVE,
        FIXED,
        ADAPTIVE,
        UNBUFFERED,
        PRODUCER
    }

    @Override
    protected Map<String, Object> measure() throws IOException {
        Map<String, Object> json = new LinkedHashMap<>();
        try (WorkDirectory work = WorkDirectory.create("microbatch-compare");
                LoadStack stack = LoadStack.start(work.path(), 1)) {
            measuredOn(stack.bootstrapServers());
            for (Delivery delivery : Delivery.values()) {
                json.put(delivery.key(), compare(stack, delivery));
            }
        }
        return json;
    }

    private Map<String, Object> compare(LoadStack stack, Delivery delivery) {
        List<CompareContender> contenders = List.of(CompareContender.values());
        Comparison<CompareContender> comparison = new Comparison<>(contenders, CompareContender.ADAPTIVE);
        int repetitions = extent.isQuick() ? 3 : 7;
        // The first round warms up the worker's JVM and counts for nothing but the check.
        for (int repetition = 0; repetition <= repetitions; repetition++) {
            for (CompareContender contender : Comparison.order(contenders, repetition)) {
                LoadResult result = run(stack, contender, delivery, repetition == 0);
                if (note(result.isVerified()) && repetition > 0) {
                    comparison.add(contender, result.perSec());
                }
            }
            say(delivery.text() + ": " + repetition + " of " + repetitions);
        }
        return comparison.report(delivery.text(), out());
    }

    private LoadResult run(LoadStack stack, CompareContender contender, Delivery delivery, boolean warmUp) {
        String topic = "compare-" + runs++;
        // One name for all rounds of a contender: the adaptive one keeps what it learned, as it does in use.
        String connector = "compare-" + Comparison.key(contender) + "-" + delivery.key();
        boolean slow = contender == CompareContender.NAIVE && delivery == Delivery.EXACTLY_ONCE;
        int most = extent.isQuick() && !warmUp ? QUICK_EVENTS : FULL_EVENTS;
        int events = slow ? SLOW_EVENTS : most;
        LoadRun load = new LoadRun(stack, out());
        Map<String, String> settings = switch (contender) {
            case NAIVE -> Settings.baseline(1);
            case UNBUFFERED -> Settings.baseline(Settings.MAX_EVENTS);
            case FIXED -> Settings.fixed(FIXED_LINGER_MS, FIXED_EVENTS);
            case ADAPTIVE -> Settings.adaptive();
            case PRODUCER -> Map.of();
        };
        LoadSpec wanted =
                LoadSpec.saturating(connector, topic, delivery, events, events / 5, Settings.withProducer(settings));
        return contender == CompareContender.PRODUCER
                ? new TransactionalProducer(stack, out()).run(wanted, Settings.MAX_EVENTS, Settings.producer())
                : load.run(wanted);
    }
}
