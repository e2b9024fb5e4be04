package io.microbatch.bench.outbox;

import io.microbatch.bench.load.CpuClock;
import io.microbatch.bench.load.Percentiles;
import io.microbatch.bench.outbox.OutboxTurn.Cpu;
import io.microbatch.bench.rows.LiveConsumer;
import io.microbatch.bench.rows.LoadPhase;
import io.microbatch.bench.rows.LoadWriters;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.Topics;
import io.microbatch.testbed.oracle.Findings;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Turns of contenders: a little load to warm up, a backlog that was written while the contender was stopped, and 50 and
 * 1,000 rows/s, each after some time to settle. Each turn has a topic of its own, and leaves an empty table. Used by
 * one thread.
 */
final class OutboxRun {

    private static final int PARTITION_COUNT = 3;
    private static final Duration ONE_SECOND = Duration.ofSeconds(1);
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(120);
    private static final long LOOK_NANOS = Duration.ofMillis(200).toNanos();

    private static final int SLOW = 50;
    private static final int FAST = 1_000;

    /** A rate counts as carried when the last row comes so long after it was due, in microseconds, or earlier. */
    private static final long CARRIED_MICROS = 2_000_000;

    private static final int WARM_UP = 0;
    private static final int BACKLOG = 1;
    private static final int SETTLE_SLOW = 2;
    private static final int AT_SLOW = 3;
    private static final int SETTLE_FAST = 4;
    private static final int AT_FAST = 5;
    private static final int PHASES = 6;

    private final OutboxStack stack;
    private final Size size;
    private int turns;

    /**
     * How long and how much.
     *
     * @param warmUpRows at 1,000 rows/s, before all else
     * @param backlogRows of the fastest contenders
     * @param settleSeconds of each rate, before it counts
     */
    record Size(int warmUpRows, int backlogRows, int settleSeconds, int slowSeconds, int fastSeconds) {}

    OutboxRun(OutboxStack stack, Size size) {
        this.stack = stack;
        this.size = size;
    }

    /** One turn. */
    OutboxTurn turn(OutboxContender contender) throws SQLException {
        int turn = ++turns;
        String topic = OutboxTable.topic(turn);
        // Several partitions, so that "in order per key" says more than "in order".
        stack.topics().create(List.of(Topics.topic(topic, PARTITION_COUNT, false)));
        Carrier carrier = stack.carrier(contender, turn);
        OutboxTurn shown;
        try (LoadWriters writers = new LoadWriters(stack.postgres(), writer -> OutboxTable.insert(turn))) {
            LiveConsumer seen =
                    new LiveConsumer(stack.bootstrapServers(), topic, PARTITION_COUNT, PHASES, OutboxRow::origin);
            try (seen) {
                shown = new Loads(contender, carrier, writers, seen).run();
            }
            carrier.stop();
            // Only now: nothing more of it can get there.
            Findings found = OutboxCheck.of(turn, writers.writtenByAccount(), stack.bootstrapServers());
            shown = shown.with(found);
        }
        carrier.remove();
        OutboxTable.empty(stack.postgres());
        stack.topics().delete(List.of(topic));
        return shown;
    }

    /** The loads of one turn. */
    private final class Loads {

        private final OutboxContender contender;
        private final Carrier carrier;
        private final LoadWriters writers;
        private final LiveConsumer seen;

        Loads(OutboxContender contender, Carrier carrier, LoadWriters writers, LiveConsumer seen) {
            this.contender = contender;
            this.carrier = carrier;
            this.writers = writers;
            this.seen = seen;
        }

        OutboxTurn run() {
            carrier.start();
            load(WARM_UP, FAST, size.warmUpRows());
            carrier.stop();
            Cpu backlogCpu = backlog();
            double backlogPerSec = seen.perSecAfterFirst(BACKLOG);
            load(SETTLE_SLOW, SLOW, SLOW * size.settleSeconds());
            load(AT_SLOW, SLOW, SLOW * size.slowSeconds());
            Cpu fastCpu = Cpu.NONE;
            boolean isCarried = false;
            // What is slower with a whole backlog does not carry the rate: its latency would be that of the queue.
            if (!(backlogPerSec < FAST)) {
                load(SETTLE_FAST, FAST, FAST * size.settleSeconds());
                Cpu before = cpu();
                long endMicros = load(AT_FAST, FAST, FAST * size.fastSeconds());
                fastCpu = cpu().since(before).perMillion(FAST * size.fastSeconds());
                isCarried = seen.lastMicros(AT_FAST) - endMicros <= CARRIED_MICROS;
            }
            return new OutboxTurn(
                    Findings.NONE,
                    contender.backlogRows(size.backlogRows()),
                    backlogPerSec,
                    Percentiles.of(percentile -> ms(AT_SLOW, percentile)),
                    isCarried ? Percentiles.of(percentile -> ms(AT_FAST, percentile)) : Percentiles.ENDLESS,
                    backlogCpu,
                    fastCpu);
        }

        /** From the start of the contender until its rows are in Kafka and what it has left of them is cleaned up. */
        private Cpu backlog() {
            int rows = contender.backlogRows(size.backlogRows());
            write(BACKLOG, LoadPhase.AS_FAST_AS_POSSIBLE, rows);
            OutboxTable.analyze(stack.postgres());
            Cpu before = cpu();
            carrier.start();
            awaitAll();
            if (contender.isDeleting()) {
                awaitEmptyTable();
            }
            OutboxTable.vacuum(stack.postgres());
            return cpu().since(before).perMillion(rows);
        }

        private Cpu cpu() {
            return new Cpu(stack.postgresCpuSec(), CpuClock.seconds(carrier.pid()), stack.brokerCpuSec());
        }

        /** Answers when the last row was due, in microseconds since the epoch. */
        private long load(int phase, int ratePerSec, int rows) {
            long startMicros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
            write(phase, ratePerSec, rows);
            awaitAll();
            return startMicros + rows * 1_000_000L / ratePerSec;
        }

        private void write(int phase, int ratePerSec, int rows) {
            long ignored = writers.begin(LoadPhase.of(phase, ratePerSec, rows)).join();
        }

        /** Not an error when it is not reached: what is missing is for the verification to count. */
        private void awaitAll() {
            long untilNanos = System.nanoTime() + DRAIN_LIMIT.toNanos();
            // The contender is asked once a second: its answers are made by the processors that are measured.
            while (!Await.reached(ONE_SECOND, () -> seen.received() >= writers.written())
                    && System.nanoTime() - untilNanos < 0) {
                carrier.requireRunning();
            }
        }

        /** Looks five times a second: each look is the work of the database that is measured. */
        private void awaitEmptyTable() {
            long untilNanos = System.nanoTime() + DRAIN_LIMIT.toNanos();
            while (!OutboxTable.isEmpty(stack.postgres())) {
                if (System.nanoTime() - untilNanos >= 0) {
                    throw new IllegalStateException(contender.text() + " does not delete what Kafka has");
                }
                carrier.requireRunning();
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }

        private double ms(int phase, double percentile) {
            Histogram micros = seen.phase(phase);
            return micros.getTotalCount() == 0 ? Double.NaN : micros.getValueAtPercentile(percentile) / 1e3;
        }
    }
}
