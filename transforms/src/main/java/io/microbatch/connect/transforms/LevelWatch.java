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
    private long passed;
    private long nextLook = 1;

    LevelWatch(long smoothingMs, LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.meter = new PressureMeter(smoothingMs, nanoClock.getAsLong());
    }

    PressureLevel of(ConnectRecord<?> record) {
        if (record instanceof BatchMember event && event.batch() != null) {
            return event.batch().level();
        }
        passed++;
        if (passed == nextLook) {
            PressureLevel ignored = meter.observe(nanoClock.getAsLong(), passed);
            nextLook = passed + Stride.of(meter.perSec(), LONGEST_STRIDE);
        }
        return meter.level();
    }
}
