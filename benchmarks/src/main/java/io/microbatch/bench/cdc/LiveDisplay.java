package io.microbatch.bench.cdc;

import io.microbatch.bench.cdc.PipelineMetrics.Snapshot;
import io.microbatch.bench.rows.LoadPhase;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** One line a second: on a terminal it rewrites itself, with a progress bar below. Elsewhere it is plain. */
final class LiveDisplay {

    private static final int BAR_WIDTH = 40;
    /** What the burst counts for in the progress bar, since its length is not known beforehand. */
    private static final long BURST_NANOS = 4_000_000_000L;

    private static final String CLEAR_LINE = "\r\u001b[K";
    private static final String LINE_UP = "\u001b[1A";

    private final PrintWriter out;
    private final int columns;
    private final List<LoadPhase> phases;
    private final long startNanos = System.nanoTime();
    private long lastNanos = startNanos;
    private long lastWritten;
    private double lastTransactions = Double.NaN;
    private boolean begun;

    /**
     * Prints to {@code out}.
     *
     * @param columns the width of the terminal, which a line that rewrites itself must not exceed; 0 without a terminal
     */
    LiveDisplay(PrintWriter out, int columns, List<LoadPhase> phases) {
        this.out = out;
        this.columns = columns;
        this.phases = phases;
    }

    void show(LoadPhase phase, long phaseElapsedNanos, long written, Snapshot sample, Histogram latencies) {
        long nowNanos = System.nanoTime();
        double seconds = (nowNanos - lastNanos) / 1e9;
        String line = String.format(
                Locale.ROOT,
                "%3.0f s  %-15s %,7.0f/s  %3s  N %6s  T %6s  p50 %8s  p99 %8s  %5s tx/s",
                (nowNanos - startNanos) / 1e9,
                phase.label(),
                (written - lastWritten) / seconds,
                PhaseResult.level(sample.level()),
                count(sample.batchTarget()),
                PhaseResult.ms(sample.lingerMs()),
                PhaseResult.latency(latencies, 50),
                PhaseResult.latency(latencies, 99),
                count((sample.transactions() - lastTransactions) / seconds));
        lastNanos = nowNanos;
        lastWritten = written;
        lastTransactions = sample.transactions();
        if (columns == 0) {
            out.println(line);
        } else {
            String fitting = line.substring(0, Math.min(line.length(), columns - 1));
            out.print(
                    (begun ? LINE_UP : "") + CLEAR_LINE + fitting + "\n" + CLEAR_LINE + bar(phase, phaseElapsedNanos));
            begun = true;
        }
        out.flush();
    }

    /** Leaves the last line standing and removes the bar. */
    void end() {
        if (begun) {
            out.print(CLEAR_LINE);
        }
    }

    private static String count(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%,.0f", value);
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
