package io.microbatch.connect.calibration;

import java.util.Objects;

/**
 * The conditions under which calibration is valid. Immutable; any thread. No part may be a secret, because any SQLite
 * tool can read the file: pass the upstream's kind, never its URL.
 *
 * @param connector the connector's name
 * @param task the task's number, from 0
 * @param deliveryMode at-least-once or exactly-once, and all settings that change the cost of a batch or the preferred
 *     setting
 * @param host the worker's host
 * @param upstream the kind of upstream
 * @param version the connector's version
 */
public record CalibrationKey(
        String connector, int task, String deliveryMode, String host, String upstream, String version) {

    /** Throws NullPointerException for null. */
    public CalibrationKey {
        Objects.requireNonNull(connector, "connector");
        Objects.requireNonNull(deliveryMode, "deliveryMode");
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(upstream, "upstream");
        Objects.requireNonNull(version, "version");
    }
}
