package io.microbatch.connect.transforms;

import io.microbatch.connect.common.RecordSize;
import io.microbatch.connect.pressure.BatchSetting;
import io.microbatch.connect.pressure.PressureLevel;
import io.microbatch.connect.pressure.PressureMeter;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.connector.ConnectRecord;

/**
 * Measures a stream of records. It counts every record and inspects a sample: all records at up to a thousand per
 * second, and at least one in {@value #MAX_STRIDE} at higher rates.
 *
 * <p>The task thread calls {@link #pass}. Any thread may read the figures, which are current at that moment.
 */
final class PressureWatch {

    /** A prime, so that the sample does not follow a period in the stream. */
    static final int MAX_STRIDE = 61;

    private static final long PERIOD_NANOS = 30_000_000_000L;

    private final WatchSettings settings;
    private final LongSupplier nanoClock;
    private final LongSupplier epochMsClock;
    private final PressureMeter meter;
    private final RecentStat sizes;
    private final RecentStat lags;

    /** Only the task thread writes it. */
    private final AtomicLong total = new AtomicLong();

    private long passed;
    private long nextLook = 1;

    PressureWatch(WatchSettings settings, LongSupplier nanoClock, LongSupplier epochMsClock) {
        this.settings = settings;
        this.nanoClock = nanoClock;
        this.epochMsClock = epochMsClock;
        long nowNanos = nanoClock.getAsLong();
        meter = new PressureMeter(settings.smoothingMs(), nowNanos);
        sizes = new RecentStat(PERIOD_NANOS, nowNanos);
        lags = new RecentStat(PERIOD_NANOS, nowNanos);
    }

    void pass(ConnectRecord<?> record) {
        long number = passed + 1;
        passed = number;
        total.setOpaque(number);
        if (number == nextLook) {
            nextLook = number + look(record, number);
        }
    }

    /** Inspects a record and returns the number of records until the next look. */
    private synchronized int look(ConnectRecord<?> record, long number) {
        long nowNanos = nanoClock.getAsLong();
        PressureLevel ignored = meter.observe(nowNanos, number);
        sizes.add(nowNanos, RecordSize.estimateBytes(record));
        long eventEpochMs = settings.eventTime().epochMs(record);
        if (eventEpochMs != EventTime.UNKNOWN) {
            lags.add(nowNanos, (double) (epochMsClock.getAsLong() - eventEpochMs));
        }
        return Stride.of(meter.perSec(), MAX_STRIDE);
    }

    private PressureLevel level() {
        return meter.observe(nanoClock.getAsLong(), total.getOpaque());
    }

    double recordTotal() {
        return (double) total.getOpaque();
    }

    synchronized double recordsPerSec() {
        PressureLevel ignored = level();
        return meter.perSec();
    }

    synchronized double sizeAverageBytes() {
        return sizes.average(nanoClock.getAsLong());
    }

    synchronized double sizeMaxBytes() {
        return sizes.max(nanoClock.getAsLong());
    }

    synchronized double lagAverageMs() {
        return lags.average(nanoClock.getAsLong());
    }

    synchronized double lagMaxMs() {
        return lags.max(nanoClock.getAsLong());
    }

    synchronized double levelNumber() {
        return level().number();
    }

    synchronized double budgetMs() {
        return settings.budgets().budgetMs(level());
    }

    synchronized double batchTargetEvents() {
        return first().maxEvents();
    }

    synchronized double lingerMs() {
        return first().lingerMs();
    }

    private BatchSetting first() {
        return settings.first(level(), sizes.average(nanoClock.getAsLong()));
    }
}
