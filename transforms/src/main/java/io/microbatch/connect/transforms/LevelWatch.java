package io.microbatch.connect.transforms;

import io.microbatch.connect.pressure.BatchMember;
import io.microbatch.connect.pressure.PressureLevel;
import io.microbatch.connect.pressure.PressureMeter;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.connector.ConnectRecord;

/**
 * The level that a record belongs to: that of its batch, or that of the rate at which records pass here. Task thread.
 */
final class LevelWatch {

    /** So that a stream that has become slow is not long taken for a fast one. */
    private static final int LONGEST_STRIDE = 32;

    private final LongSupplier nanoClock;
    private final PressureMeter meter;
    private PressureLevel level = PressureLevel.L1_REALTIME;

    /** How many records had passed at the last look, and how many more pass until the next one. */
    private long looked;

    private int stride = 1;
    private int untilLook = 1;

    LevelWatch(long smoothingMs, LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.meter = new PressureMeter(smoothingMs, nanoClock.getAsLong());
    }

    PressureLevel of(ConnectRecord<?> record) {
        if (record instanceof BatchMember event && event.batch() != null) {
            return event.batch().level();
        }
        if (--untilLook == 0) {
            look();
        }
        return level;
    }

    private void look() {
        looked += stride;
        level = meter.observe(nanoClock.getAsLong(), looked);
        stride = Stride.of(meter.perSec(), LONGEST_STRIDE);
        untilLook = stride;
    }
}
