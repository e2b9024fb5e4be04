package io.microbatch.connect.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * A rate over time in steps, and its integral: the number of events that are due at a given time. The last rate
 * continues after the last step. Times are in nanoseconds since the start of the curve. Immutable; any thread.
 */
public record RateCurve(List<Step> steps) {

    /** One step. A rate of 0 as the only step means unlimited. A length of {@link Long#MAX_VALUE} means no end. */
    public record Step(double eventsPerSec, long lengthNanos) {}

    private static final double NANOS_PER_SEC = 1e9;

    public RateCurve {
        steps = List.copyOf(steps);
    }

    /** Parses '1000' or '10@5s,1000@250ms,50'. Throws IllegalArgumentException if the text is neither. */
    public static RateCurve parse(String text) {
        List<Step> steps = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            String step = part.trim().toLowerCase(Locale.ROOT);
            int at = step.indexOf('@');
            double rate = Double.parseDouble(at < 0 ? step : step.substring(0, at));
            if (!(rate >= 0) || rate > 1e9) {
                throw new IllegalArgumentException("a rate is a number from 0 to 1e9");
            }
            steps.add(new Step(rate, at < 0 ? Long.MAX_VALUE : lengthNanos(step.substring(at + 1))));
        }
        boolean endless =
                steps.subList(0, steps.size() - 1).stream().anyMatch(step -> step.lengthNanos() == Long.MAX_VALUE);
        if (endless) {
            throw new IllegalArgumentException("only the last step may go without a length such as '@10s'");
        }
        boolean unlimited = steps.stream().anyMatch(step -> step.eventsPerSec() == 0);
        if (unlimited && steps.size() > 1) {
            throw new IllegalArgumentException("rate 0, which means unlimited, cannot be a step among others");
        }
        return new RateCurve(steps);
    }

    private static long lengthNanos(String text) {
        boolean millis = text.endsWith("ms");
        if (!millis && !text.endsWith("s")) {
            throw new IllegalArgumentException("the length of a step ends in 's' or 'ms'");
        }
        double number = Double.parseDouble(text.substring(0, text.length() - (millis ? 2 : 1)));
        if (!(number > 0) || number > 1e9) {
            throw new IllegalArgumentException("the length of a step is greater than 0");
        }
        return (long) (number * (millis ? 1e6 : NANOS_PER_SEC));
    }

    static ConfigDef.Validator validator() {
        return ConfigDef.LambdaValidator.with(
                (name, value) -> {
                    try {
                        RateCurve unused = parse((String) value);
                    } catch (IllegalArgumentException e) {
                        throw new ConfigException(
                                name + " must be a rate in events per second such as '1000', or steps such as "
                                        + "'10@5s,1000@250ms,50': " + e.getMessage());
                    }
                },
                () -> "0 to 1e9, or steps of it");
    }

    /** Whether the rate is not limited. */
    public boolean unlimited() {
        return steps.get(0).eventsPerSec() == 0;
    }

    /**
     * The time at which event number {@code index} is due, in nanoseconds after the start. Not defined for an unlimited
     * curve.
     */
    public long dueNanos(long index) {
        double before = 0;
        long started = 0;
        int i = 0;
        for (; i < steps.size() - 1; i++) {
            double inStep =
                    steps.get(i).eventsPerSec() / NANOS_PER_SEC * steps.get(i).lengthNanos();
            if (index < before + inStep) {
                break;
            }
            before += inStep;
            started += steps.get(i).lengthNanos();
        }
        return started + (long) ((index - before) * NANOS_PER_SEC / steps.get(i).eventsPerSec());
    }
}
