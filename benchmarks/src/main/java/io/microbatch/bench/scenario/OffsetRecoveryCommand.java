package io.microbatch.bench.scenario;

import io.microbatch.bench.load.LoadResult;
import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.Pause;
import io.microbatch.bench.load.Reading;
import io.microbatch.bench.load.Regain;
import io.microbatch.bench.load.Timeline;
import io.microbatch.bench.profile.Driver;
import io.microbatch.bench.profile.Workload;
import io.microbatch.testbed.ConnectWorker;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import picocli.CommandLine.Command;

/** {@code bench scenario offset-recovery}: exits with 0 when every event was verified. */
@Command(
        name = "offset-recovery",
        sortOptions = false,
        description = {
            "A connector that is restarted, and a worker that is killed, in the middle of a stream that does not wait.",
            "",
            "From the request, or the kill, to the first new event at the reader and to a second's events within the"
                    + " latency budget again; and how far the source went back behind what had been read: 0 is"
                    + " exactly where it was. A worker that is killed is started again at once: most of that time is"
                    + " the JVM's and the group's.",
            ""
        },
        footer = {"", Scenario.FOOTER})
public final class OffsetRecoveryCommand extends Scenario {

    private static final int LIMIT_SECONDS = 120;

    /** What happens. */
    private enum Interruption {
        RESTART("restart", 0) {
            @Override
            void inflict(ConnectWorker worker, String connector) {
                worker.rest().restart(connector);
            }
        },
        STOP_RESUME("stop_resume", 0) {
            @Override
            void inflict(ConnectWorker worker, String connector) {
                worker.rest().stop(connector);
                worker.rest().awaitState(connector, "STOPPED");
                worker.rest().resume(connector);
            }
        },
        KILL("worker_kill", 13) {
            @Override
            void inflict(ConnectWorker worker, String connector) {
                worker.kill();
                worker.restart();
            }
        };

        private final String text;

        /** How much longer the stream has to be for its end to be live. */
        private final int seconds;

        Interruption(String text, int seconds) {
            this.text = text;
            this.seconds = seconds;
        }

        abstract void inflict(ConnectWorker worker, String connector);
    }

    /** For picocli. */
    public OffsetRecoveryCommand() {
        super("offset-recovery", "interruptions");
    }

    /**
     * A transaction for each event does not keep up with the rate, and with one for each poll of all that is due the
     * p99 is at the budget without an interruption. An interval of 20 ms and a linger are well within it.
     */
    @Override
    protected List<Contender> contenders() {
        return List.of(Contender.ADAPTIVE, Contender.UNBUFFERED, Contender.INTERVAL_20_LINGER_20);
    }

    @Override
    protected boolean isDisturbed() {
        return true;
    }

    @Override
    protected List<Situation> situations(Workload workload) {
        return shortened(List.of(Interruption.values())).stream()
                .map(each -> new Situation("interruption", each.text, workload, liveRate(workload)))
                .toList();
    }

    @Override
    protected Measured run(Driver driver, Situation situation, Contender contender) {
        Interruption interruption = List.of(Interruption.values()).stream()
                .filter(each -> each.text.equals(situation.value()))
                .findFirst()
                .orElseThrow();
        Workload workload = situation.workload();
        int rate = situation.ratePerSec();
        int warmUp = Math.max(1, workload.warmUpSeconds()) * rate;
        long beganEpochMs = System.currentTimeMillis();
        LoadSpec spec = spec(
                        driver,
                        situation,
                        contender,
                        Integer.toString(rate),
                        warmUp + rate * (workload.seconds() + interruption.seconds),
                        warmUp,
                        LIMIT_SECONDS)
                .with("upstream.synthetic.start.epoch.ms", Long.toString(beganEpochMs));
        AtomicLong interruptedEpochMs = new AtomicLong();
        BiConsumer<ConnectWorker, String> disturbance = (worker, connector) -> {
            interruptedEpochMs.set(System.currentTimeMillis());
            interruption.inflict(worker, connector);
        };
        LoadResult result = load(spec, disturbance);
        return new Measured(
                result, figures(result.first(), beganEpochMs, interruptedEpochMs.get(), driver.budgetMs(rate)));
    }

    private static Map<Figure, Double> figures(
            Reading read, long beganEpochMs, long interruptedEpochMs, double budgetMs) {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        Pause.longestAfter(read.pauses(), interruptedEpochMs * 1_000_000).ifPresent(pause -> {
            figures.put(Figure.FIRST_NEW_MS, pause.toEpochNanos() / 1e6 - interruptedEpochMs);
            figures.put(Figure.REPEATED, (double) pause.repeats());
        });
        Timeline timeline = read.timeline();
        int from = (int) ((interruptedEpochMs - beganEpochMs) / Timeline.SLICE_MS);
        int broken = Regain.firstAbove(timeline::p99Ms, from, timeline.size(), budgetMs);
        long calmMs = Regain.regainedMs(timeline::p99Ms, broken, timeline.size(), budgetMs);
        if (calmMs >= 0) {
            double dueMs = beganEpochMs + broken * (double) Timeline.SLICE_MS + calmMs;
            double freshMs = timeline.p99Ms(broken + (int) (calmMs / Timeline.SLICE_MS));
            figures.put(Figure.LIVE_AFTER_MS, Math.max(0, dueMs + freshMs - interruptedEpochMs));
        }
        return figures;
    }
}
