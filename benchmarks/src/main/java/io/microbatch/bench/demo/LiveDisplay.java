package io.microbatch.bench.demo;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/** One line a second: on a terminal it rewrites itself and ends with a progress bar, elsewhere it is plain. */
final class LiveDisplay {

    private static final int BAR_WIDTH = 20;
    /** What the burst counts for in the progress bar, since nobody knows how long it will take. */
    private static final long BURST_NANOS = 4_000_000_000L;

    private static final String REWRITE = "\r\u001b[K";

    private final PrintWriter out;
    private final boolean terminal;
    private final List<LoadPhase> phases;
    private final long startNanos = System.nanoTime();
    private long lastNanos = startNanos;
    private long lastWritten;
    private OptionalDouble lastTransactions = OptionalDouble.empty();

    LiveDisplay(PrintWriter out, boolean terminal, List<LoadPhase> phases) {
        this.out = out;
        this.terminal = terminal;
        this.phases = phases;
    }

    void show(LoadPhase phase, long phaseElapsedNanos, long written, MetricsSample sample, Histogram latencies) {
        long nowNanos = System.nanoTime();
        double seconds = (nowNanos - lastNanos) / 1e9;
        String line = String.format(
                Locale.ROOT,
                "%3.0f s  %-15s wrote %,7.0f/s  level %3s  N %6s  T %5s  p50 %9s  p99 %9s  %6s tx/s",
                (nowNanos - startNanos) / 1e9,
                phase.label(),
                (written - lastWritten) / seconds,
                Texts.level(sample.level()),
                Texts.count(sample.batchTarget()),
                Texts.ms(sample.lingerMs()),
                Texts.latency(latencies, 50),
                Texts.latency(latencies, 99),
                Texts.count(transactionsPerSec(sample, seconds)));
        lastNanos = nowNanos;
        lastWritten = written;
        lastTransactions = sample.transactionTotal();
        if (terminal) {
            out.print(REWRITE + line + "  " + bar(phase, phaseElapsedNanos));
        } else {
            out.println(line);
        }
        out.flush();
    }

    /** Leaves the last line standing. */
    void end() {
        if (terminal) {
            out.println();
        }
    }

    private OptionalDouble transactionsPerSec(MetricsSample sample, double seconds) {
        return sample.transactionTotal().isPresent() && lastTransactions.isPresent()
                ? OptionalDouble.of(
                        (sample.transactionTotal().getAsDouble() - lastTransactions.getAsDouble()) / seconds)
                : OptionalDouble.empty();
    }

    private String bar(LoadPhase current, long phaseElapsedNanos) {
        long done = 0;
        long total = 0;
        for (LoadPhase phase : phases) {
            long length = phase.isBurst() ? BURST_NANOS : phase.plannedNanos();
            total += length;
            if (phase.number() < current.number()) {
                done += length;
            } else if (phase.number() == current.number()) {
                done += Math.min(length, phaseElapsedNanos);
            }
        }
        int filled = Math.toIntExact(done * BAR_WIDTH / total);
        return "[" + "#".repeat(filled) + "-".repeat(BAR_WIDTH - filled) + "]";
    }
}
