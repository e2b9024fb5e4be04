package io.microbatch.connect.calibration;

import io.microbatch.connect.pressure.PressureLevel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;

/** Identifies what the stored figures mean. Calibration is kept across versions with the same meaning. Stateless. */
public final class Meaning {

    /**
     * Raise it when a stored figure gets another unit or is computed in another way, for example the service rate, the
     * score, or the latency whose p99 is kept. Calibration of the previous revision is not used then.
     */
    private static final int REVISION = 1;

    private Meaning() {}

    /** The meaning of this version: the revision, and a checksum of the levels, which stored figures refer to. */
    public static String current() {
        String levels = Arrays.stream(PressureLevel.values())
                .map(level -> level.number() + " from " + Double.doubleToLongBits(level.lowerBoundPerSec()) + " within "
                        + level.budgetMs())
                .collect(Collectors.joining("\n"));
        return of(REVISION, levels);
    }

    static String of(int revision, String levels) {
        CRC32C crc = new CRC32C();
        crc.update(levels.getBytes(StandardCharsets.UTF_8));
        return String.format(Locale.ROOT, "%d-%08x", revision, crc.getValue());
    }
}
