package io.microbatch.bench.cdc;

import io.microbatch.bench.load.CpuClock;
import io.microbatch.bench.load.Percentiles;
import io.microbatch.bench.load.ThreadClock;
import io.microbatch.bench.rows.LiveConsumer;
import io.microbatch.bench.rows.LoadPhase;
import io.microbatch.bench.rows.LoadWriters;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.oracle.Findings;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;

/**
 * One contender's turn: a little load to warm up, 50, 1,000 and perhaps 5,000 rows/s, each after some seconds to
 * settle, and a backlog that was written while the connector was stopped. Used by one thread.
 */
final class CdcRun {

    private static final Duration ONE_SECOND = Duration.ofSeconds(1);
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(90);
    /** How many phases a turn has. */
    static final int PHASES = 8;

    /** The phases at a rate whose rows count. */
    private static final Set<Integer> RATES = Set.of(1, 2, 4);

    private static final int SLOW = 50;
    private static final int FAST = 1_000;

    /** The same for all contenders. A part of a contender's own backlog rate would be more work for a faster one. */
    private static final int BUSY = 5_000;

    private final CdcStack stack;
    private final LoadWriters writers;
    private final Size size;
    private int firstPhase;

    /** Rows that earlier turns wrote. */
    private long writtenBefore;

    /** How late the writers were in each phase of the turn, in milliseconds. Not a number where none was written. */
    private final double[] lateMs = new double[PHASES];

    /** The rates of the turn that the writers missed. */
    private final Set<String> missedRates = new LinkedHashSet<>();

    /**
     * How long and how much.
     *
     * @param settlingSeconds how long a rate is held before it counts. What a change of it costs is for another
     *     benchmark.
     * @param busySeconds at 5,000 rows/s; 0 leaves it out
     */
    record Size(
            int warmUpSeconds,
            int settlingSeconds,
            int slowSeconds,
            int fastSeconds,
            int busySeconds,
            int backlogRows) {}

    /**
     * What it showed, and what became of its rows.
     *
     * @param missedRates at which the database did not take the rows in time
     */
    record Turn(CdcFigures figures, Findings found, List<String> missedRates) {}

    CdcRun(CdcStack stack, LoadWriters writers, Size size) {
        this.stack = stack;
        this.writers = writers;
        this.size = size;
    }

    /** Carries out the turn and leaves neither connector nor rows. The phases of a turn begin where the caller says. */
    Turn run(ConnectorConfig config, int phase) {
        firstPhase = phase;
        writtenBefore = writers.written();
        Arrays.fill(lateMs, Double.NaN);
        missedRates.clear();
        stack.startConnector(config);
        CdcFigures.Cpu fastCpu;
        CdcFigures.Cpu busyCpu = new CdcFigures.Cpu(Double.NaN, Double.NaN);
        CdcFigures.Cpu backlogCpu;
        Map<ThreadClock.Part, Double> backlogByPart;
        double backlogPerSec;
        LiveConsumer seen = new LiveConsumer(
                stack.bootstrapServers(),
                stack.topic(),
                CdcStack.PARTITION_COUNT,
                firstPhase + PHASES,
                ChangeEvent::origin);
        try (seen) {
            load(seen, 0, FAST, FAST * size.warmUpSeconds());
            load(seen, 5, SLOW, SLOW * size.settlingSeconds());
            load(seen, 1, SLOW, SLOW * size.slowSeconds());
            load(seen, 6, FAST, FAST * size.settlingSeconds());
            CdcFigures.Cpu before = cpu();
            load(seen, 2, FAST, FAST * size.fastSeconds());
            fastCpu = cpu().since(before);
            if (size.busySeconds() > 0) {
                load(seen, 7, BUSY, BUSY * size.settlingSeconds());
                before = cpu();
                load(seen, 4, BUSY, BUSY * size.busySeconds());
                busyCpu = cpu().since(before).perMillion(BUSY * size.busySeconds());
            }
            stack.stopConnector();
            write(3, LoadPhase.AS_FAST_AS_POSSIBLE, size.backlogRows());
            before = cpu();
            ThreadClock.ThreadTimes threads = ThreadClock.read(stack.workerPid(), config.name());
            stack.resumeConnector();
            awaitAll(seen);
            backlogCpu = cpu().since(before);
            backlogByPart = ThreadClock.read(stack.workerPid(), config.name()).since(threads);
            backlogPerSec = backlogPerSec(seen, firstPhase + 3);
        }
        stack.stopConnector();
        Findings found = TableCheck.of(EventTable.readAll(stack.postgres()), stack.bootstrapServers(), stack.topic());
        stack.removeConnector();
        EventTable.empty(stack.postgres());
        backlogByPart.replaceAll((part, sec) -> sec * 1e6 / size.backlogRows());
        CdcFigures figures = new CdcFigures(
                Percentiles.of(percentile -> ms(seen, 1, percentile)),
                Percentiles.of(percentile -> ms(seen, 2, percentile)),
                Percentiles.of(percentile -> ms(seen, 4, percentile)),
                new CdcFigures.LateMs(lateMs[1], lateMs[2], lateMs[4]),
                backlogPerSec,
                backlogCpu.perMillion(size.backlogRows()),
                fastCpu.perMillion(FAST * size.fastSeconds()),
                busyCpu,
                backlogByPart);
        return new Turn(figures, found, List.copyOf(missedRates));
    }

    /** Rows per second of a backlog that has come. Not a number if it came with its first transaction. */
    static double backlogPerSec(LiveConsumer seen, int phase) {
        return seen.perSecAfterFirst(phase);
    }

    private CdcFigures.Cpu cpu() {
        return new CdcFigures.Cpu(CpuClock.seconds(stack.workerPid()), CpuClock.seconds(stack.brokerPid()));
    }

    private void load(LiveConsumer seen, int phase, int ratePerSec, int rows) {
        write(phase, ratePerSec, rows);
        awaitAll(seen);
    }

    private void write(int phase, int ratePerSec, int rows) {
        LoadPhase load = LoadPhase.of(firstPhase + phase, ratePerSec, rows);
        long lateNanos = writers.begin(load).join();
        lateMs[phase] = lateNanos / 1e6;
        if (RATES.contains(phase) && load.isLate(lateNanos)) {
            missedRates.add(load.label());
        }
    }

    /** Not an error when it is not reached: what is missing is for the verification to count. */
    private void awaitAll(LiveConsumer seen) {
        long wanted = writers.written() - writtenBefore;
        long untilNanos = System.nanoTime() + DRAIN_LIMIT.toNanos();
        // The worker is asked once a second: its answers are made by the processors that are measured.
        while (!Await.reached(ONE_SECOND, () -> seen.received() >= wanted) && System.nanoTime() - untilNanos < 0) {
            stack.requireRunning();
        }
    }

    private double ms(LiveConsumer seen, int phase, double percentile) {
        Histogram micros = seen.phase(firstPhase + phase);
        return micros.getTotalCount() == 0 ? Double.NaN : micros.getValueAtPercentile(percentile) / 1e3;
    }
}
