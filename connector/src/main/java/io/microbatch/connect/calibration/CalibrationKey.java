package io.microbatch.connect.calibration;

import java.util.Objects;

/**
 * What makes calibration valid: a setting learned under one key says nothing about another. Immutable; any thread. None
 * of it may be a secret, because the file is readable with any SQLite tool: pass the upstream's kind, never its URL.
 *
 * @param connector the connector's name
 * @param task the task's number, from 0
 * @param deliveryMode at-least-once or exactly-once, and whatever else changes the price of a batch or what is wanted
 *     of it
 * @param host the worker's host
 * @param upstream the kind of upstream
 * @param version the connector's version
 */
public record CalibrationKey(
        String connector, int task, String deliveryMode, String host, String upstream, String version) {

    /** Refuses null with NullPointerException, and a negative task number with IllegalArgumentException. */
    public CalibrationKey {
        Objects.requireNonNull(connector, "connector");
        Objects.requireNonNull(deliveryMode, "deliveryMode");
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(upstream, "upstream");
        Objects.requireNonNull(version, "version");
        Ranges.checkWhole("task", task, 0, Integer.MAX_VALUE);
    }
}
