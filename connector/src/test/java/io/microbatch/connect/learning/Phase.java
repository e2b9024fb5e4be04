package io.microbatch.connect.learning;

import java.util.HashMap;
import java.util.Map;

/**
 * One line of a scenario: {@code key=value} pairs separated by blanks. Immutable.
 *
 * @param values the pairs of the line
 */
record Phase(Map<String, String> values) {

    static Phase parse(String line) {
        Map<String, String> values = new HashMap<>();
        for (String pair : line.trim().split(" ", -1)) {
            int equals = pair.indexOf('=');
            values.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
        return new Phase(values);
    }

    boolean has(String key) {
        return values.containsKey(key);
    }

    double number(String key, double otherwise) {
        return has(key) ? Double.parseDouble(values.get(key)) : otherwise;
    }

    long seconds() {
        return (long) number("seconds", 0);
    }

    double steadyRatePerSec() {
        return number("rate", 0);
    }

    /** The rate at this time after the start of the phase: steady, a sine, or bursts of a second. */
    double ratePerSec(double atSec) {
        double swing = number("sine", 0) * Math.sin(2 * Math.PI * atSec / number("period", 60));
        boolean burst = has("burst") && atSec % number("period", 60) < 1;
        return burst ? number("burst", 0) : steadyRatePerSec() * (1 + swing);
    }

    double commitMs() {
        return number("commit_ms", 4);
    }

    /** The time after a commit during which its markers delay the next transaction. */
    double markersMs() {
        return number("markers_ms", 2);
    }

    /** The standard deviation of the logarithm of that time. */
    double markersNoise() {
        return number("markers_noise", 0);
    }

    /** How much longer a transaction takes that begins while the markers of the last one are written. */
    double backOffMs() {
        return number("back_off_ms", 20);
    }

    /** The part of the other transactions that wait for a back-off too, whatever the distance. */
    double stalls() {
        return number("stalls", 0);
    }

    /** The standard deviation of the logarithm of the busy time that is measured, every seven seconds. */
    double drift() {
        return number("drift", 0);
    }

    double microsPerEvent() {
        return number("us_per_event", 2);
    }

    /** The standard deviation of the logarithm of a commit's duration. */
    double noise() {
        return number("noise", 0.05);
    }
}
