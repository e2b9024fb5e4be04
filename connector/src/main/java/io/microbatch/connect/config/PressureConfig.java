package io.microbatch.connect.config;

import io.microbatch.connect.pressure.Margin;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Width;

/** How the pressure is observed, and which part of a latency budget may be used. Immutable; any thread. */
public record PressureConfig(long smoothingMs, long windowMs, Margin margin) {

    static final String GROUP = "Pressure";

    public static final String SMOOTHING_MS_CONFIG = "pressure.smoothing.ms";

    static final String SMOOTHING_MS_DOC =
            "The time constant of the moving average of the arrival rate, in milliseconds. A smaller value "
                    + "follows a step sooner. A larger value ignores longer bursts.";
    static final long SMOOTHING_MS_DEFAULT = 500;

    public static final String WINDOW_MS_CONFIG = "pressure.window.ms";

    static final String WINDOW_MS_DOC =
            "The length of an observation window, in milliseconds. Until the first trials of a pressure level "
                    + "are over, a window ends after 2 s if it has at least 20 batches. Each window adds one row to "
                    + "the calibration file. Without this key it is 10000, or three times latency.target.ms if that "
                    + "is longer: nothing is learned from a window with fewer than three batches.";
    private static final long MIN_WINDOW_MS_DEFAULT = 10_000;

    /** The linger is shorter than the target, so three batches end within three targets. */
    private static final long WINDOW_TARGETS = 3;

    public static final String MARGIN_RATIO_CONFIG = "pressure.margin.ratio";

    static final String MARGIN_RATIO_DOC =
            "The part of a latency budget that the linger and the acknowledgement delay may use together. The "
                    + "delay is its median under exactly-once and its 99th percentile otherwise. The rest is a "
                    + "reserve for delays that these figures do not include. Without this key 0.8 of a budget "
                    + "may be used, or all but 10 ms of it if that is more.";

    static void define(ConfigDef def) {
        KeyGroup keys = new KeyGroup(def, GROUP);
        keys.add(Importance.LOW, SMOOTHING_MS_CONFIG, "Smoothing (ms)", SMOOTHING_MS_DOC)
                .takes(Type.LONG, SMOOTHING_MS_DEFAULT, Width.SHORT, Range.between(50, 10_000));
        keys.add(Importance.LOW, WINDOW_MS_CONFIG, "Window (ms)", WINDOW_MS_DOC)
                .takes(Type.LONG, null, Width.SHORT, OptionalRange.between(1_000, 600_000, "milliseconds"));
        keys.add(Importance.LOW, MARGIN_RATIO_CONFIG, "Margin", MARGIN_RATIO_DOC)
                .takes(Type.DOUBLE, null, Width.SHORT, OptionalRange.between(0.1, 1.0));
    }

    static PressureConfig from(AbstractConfig config) {
        Double marginRatio = config.getDouble(MARGIN_RATIO_CONFIG);
        return new PressureConfig(
                config.getLong(SMOOTHING_MS_CONFIG),
                windowMs(config),
                marginRatio == null ? Margin.DEFAULT : Margin.ofRatio(marginRatio));
    }

    private static long windowMs(AbstractConfig config) {
        Long windowMs = config.getLong(WINDOW_MS_CONFIG);
        if (windowMs != null) {
            return windowMs;
        }
        Integer targetMs = config.getInt(BatchConfig.LATENCY_TARGET_MS_CONFIG);
        return targetMs == null ? MIN_WINDOW_MS_DEFAULT : Math.max(MIN_WINDOW_MS_DEFAULT, WINDOW_TARGETS * targetMs);
    }
}
