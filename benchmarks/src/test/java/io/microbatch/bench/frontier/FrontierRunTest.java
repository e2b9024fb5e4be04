package io.microbatch.bench.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.LoadResult;
import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.Promise;
import io.microbatch.bench.load.Reading;
import io.microbatch.bench.load.Windows;
import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Whose runs may end at the time limit. */
class FrontierRunTest {

    private static final int RATE = 100;
    private static final long DUE = 1_700_000_000_000_000_000L;

    /** The first of 100 events. All that came is as promised. */
    private static LoadResult result(int events) {
        Reading reading = new Reading(new LoadSpec("c", "t", Delivery.EXACTLY_ONCE, "100", 100, 0, 1, Map.of()));
        SyntheticEvent codec = new SyntheticEvent();
        for (int i = 0; i < events; i++) {
            long due = DUE + i * 1_000_000_000L / RATE;
            reading.take(codec.encode(0, 0, i, due, 100, false), i, due);
        }
        boolean cut = events < 100;
        String problem = cut ? "not at its end" : "";
        return new LoadResult(Promise.EXACT, List.of(reading), new Windows(List.of()), 30, 20, Map.of(), problem, cut);
    }

    /** The first of its runs ends at the time limit. */
    private static Function<LoadSpec, LoadResult> firstCut() {
        int[] runs = new int[1];
        return spec -> result(runs[0]++ == 0 ? 50 : 100);
    }

    private static FrontierRun run(Function<LoadSpec, LoadResult> load) {
        return new FrontierRun(load, Delivery.EXACTLY_ONCE, Lengths.of(10, 0, 1), new PrintWriter(Writer.nullWriter()));
    }

    private static AtRate measure(FrontierRun run, String contender) {
        return run.measure(RATE, "", List.of(Contender.named(contender, Delivery.EXACTLY_ONCE)), 2);
    }

    @Test
    void aTaskOfOursThatHangsWhileItLearnsIsNotVerified() {
        FrontierRun run = run(firstCut());
        assertThat(measure(run, "default").standings().get(0).turns()).allMatch(Turn::verified);
        assertThat(run.isVerified()).isFalse();
    }

    @Test
    void aHostedSourceIsOurs() {
        FrontierRun run = run(firstCut());
        assertThat(measure(run, "hosted-default").standings()).hasSize(1);
        assertThat(run.isVerified()).isFalse();
    }

    @Test
    void aStockContenderMayBeLateBeforeTheRounds() {
        FrontierRun run = run(firstCut());
        assertThat(measure(run, "interval-20").standings().get(0).turns()).allMatch(Turn::carried);
        assertThat(run.isVerified()).isTrue();
    }

    @Test
    void theWarmUpWithATaskOfOursHasToComeToItsEnd() {
        FrontierRun late = run(firstCut());
        late.warmUp();
        assertThat(late.isVerified()).isFalse();
    }

    /** A transaction for each event is slow where commits are. */
    @Test
    void theWarmUpOfTransactionsMayBeLate() {
        FrontierRun run = run(spec -> result("1".equals(spec.settings().get("batch.linger.ms")) ? 50 : 100));
        run.warmUp();
        assertThat(run.isVerified()).isTrue();
    }
}
