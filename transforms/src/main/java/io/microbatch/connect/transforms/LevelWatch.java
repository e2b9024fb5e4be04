package io.microbatch.connect.transforms;

import io.microbatch.connect.pressure.BatchMember;
import io.microbatch.connect.pressure.PressureLevel;
import io.microbatch.connect.pressure.PressureMeter;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.connector.ConnectRecord;

/** The level of a record's batch or, for a record without a batch, of the rate of records. Task thread. */
final class LevelWatch {

    /** A small stride, so that a stream that becomes slow is detected soon. */
    private static final int MAX_STRIDE = 32;

    private final LongSupplier nanoClock;
    private final PressureMeter meter;
    private PressureLevel level = PressureLevel.L1_REALTIME;

    /** The number of records at the last look. */
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
        stride = Stride.of(meter.perSec(), MAX_STRIDE);
        untilLook = stride;
    }
}
