package io.microbatch.connect.calibration;

import java.util.Objects;

/**
 * The conditions under which calibration is valid. The delivery mode includes all settings that change the cost of a
 * batch or the preferred setting. The meaning is {@link Meaning#current}: the connector's version is no part, because
 * an upgrade that keeps the meaning of the figures keeps the figures. No part may be a secret, because any SQLite tool
 * can read the file: pass the upstream's kind, never its URL. Immutable; any thread.
 */
public record CalibrationKey(
        String connector, int task, String deliveryMode, String host, String upstream, String meaning) {

    /** Throws NullPointerException for null. */
    public CalibrationKey {
        Objects.requireNonNull(connector, "connector");
        Objects.requireNonNull(deliveryMode, "deliveryMode");
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(upstream, "upstream");
        Objects.requireNonNull(meaning, "meaning");
    }
}
