package io.microbatch.connect.transforms;

import io.microbatch.connect.pressure.BatchMember;
import io.microbatch.connect.pressure.PressureLevel;
import io.microbatch.connect.pressure.PressureMeter;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.connector.ConnectRecord;

/** The level of a record's batch or, for a record without a batch, of the rate of records. Task thread. */
final class LevelWatch {

    /** The most records between two looks at a high rate. */
    private static final int MAX_STRIDE = 32;

    /** So that the first record after a pause has the level of a slow stream, and not one from before the pause. */
    private static final long MAX_AGE_NANOS = 500_000_000;

    private final LongSupplier nanoClock;
    private final PressureMeter meter;
    private PressureLevel level = PressureLevel.L1_REALTIME;
    private long passed;
    private long lookedNanos;
    private int untilLook = 1;

    LevelWatch(long smoothingMs, LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        lookedNanos = nanoClock.getAsLong();
        meter = new PressureMeter(smoothingMs, lookedNanos);
    }

    PressureLevel of(ConnectRecord<?> record) {
        if (record instanceof BatchMember event && event.batch() != null) {
            return event.batch().level();
        }
        passed++;
        // For each record, because a look costs more than the time.
        long nowNanos = nanoClock.getAsLong();
        if (--untilLook == 0 || nowNanos - lookedNanos > MAX_AGE_NANOS) {
            look(nowNanos);
        }
        return level;
    }

    private void look(long nowNanos) {
        level = meter.observe(nowNanos, passed);
        lookedNanos = nowNanos;
        untilLook = Stride.of(meter.perSec(), MAX_STRIDE);
    }
}
