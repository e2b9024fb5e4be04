package io.microbatch.bench.cdc;

import java.util.Locale;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/** How numbers are printed; an absent one is a dash. */
final class Texts {

    private static final String ABSENT = "-";

    private Texts() {}

    static String level(OptionalDouble level) {
        return level.isPresent() ? "L" + Math.round(level.getAsDouble()) : ABSENT;
    }

    static String count(OptionalDouble value) {
        return value.isPresent() ? String.format(Locale.ROOT, "%,d", Math.round(value.getAsDouble())) : ABSENT;
    }

    static String ms(OptionalDouble value) {
        return value.isPresent() ? ms(value.getAsDouble()) : ABSENT;
    }

    static String ms(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.1f ms" : "%,.0f ms", value);
    }

    static String latency(Histogram micros, double percentile) {
        return micros.getTotalCount() == 0 ? ABSENT : ms(micros.getValueAtPercentile(percentile) / 1e3);
    }
}
