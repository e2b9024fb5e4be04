package io.microbatch.bench.upgrade;

import io.microbatch.testbed.oracle.Oracle;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One exchange of the archive on all workers, and what happened from its beginning to that of the next one.
 *
 * @param direction upgrade or rollback
 * @param beganEpochMs when the first worker was stopped
 * @param streams by connector
 * @param kept what became of the learned values
 */
record Exchange(String direction, long beganEpochMs, Map<String, OfStream> streams, ContinuedLevels kept) {

    /**
     * What happened to one stream.
     *
     * @param recoveryMs from the start of the last worker until every source partition delivered new events; -1 if that
     *     did not happen
     * @param restarts how often the connector was restarted over REST because a task had failed
     * @param events the records until the next exchange
     * @param violations what the oracle found in them
     */
    record OfStream(long recoveryMs, int restarts, long events, Map<Oracle.Kind, Long> violations) {

        OfStream with(long moreEvents) {
            return new OfStream(recoveryMs, restarts, moreEvents, violations);
        }

        Map<String, Object> toJson() {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("events", events);
            for (Oracle.Kind kind : List.of(Oracle.Kind.LOST, Oracle.Kind.DUPLICATED, Oracle.Kind.REORDERED)) {
                json.put(kind.name().toLowerCase(Locale.ROOT), violations.getOrDefault(kind, 0L));
            }
            json.put("recovery_ms", recoveryMs);
            json.put("restarts_over_rest", restarts);
            return json;
        }
    }

    boolean isRecovered() {
        return streams.values().stream().allMatch(stream -> stream.recoveryMs() >= 0);
    }

    /** The same with the number of events of each stream. */
    Exchange withEvents(Map<String, Long> events) {
        Map<String, OfStream> counted = new LinkedHashMap<>();
        streams.forEach((name, stream) -> counted.put(name, stream.with(events.getOrDefault(name, 0L))));
        return new Exchange(direction, beganEpochMs, counted, kept);
    }

    /** The same with the violations of a stream that came to light after this exchange and before the next one. */
    Exchange with(String name, List<Oracle.Violation> violations, long nextBeganEpochMs) {
        Map<Oracle.Kind, Long> counts = new EnumMap<>(Oracle.Kind.class);
        for (Oracle.Violation violation : violations) {
            if (violation.ms() >= beganEpochMs && violation.ms() < nextBeganEpochMs) {
                long ignored = counts.merge(violation.kind(), 1L, Long::sum);
            }
        }
        Map<String, OfStream> counted = new LinkedHashMap<>(streams);
        OfStream ignored = counted.computeIfPresent(
                name, (key, stream) -> new OfStream(stream.recoveryMs(), stream.restarts(), stream.events(), counts));
        return new Exchange(direction, beganEpochMs, counted, kept);
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("direction", direction);
        json.put("recovered", isRecovered());
        Map<String, Object> byStream = new LinkedHashMap<>();
        streams.forEach((name, stream) -> byStream.put(name, stream.toJson()));
        json.put("streams", byStream);
        json.put("calibration", kept.toJson());
        return json;
    }
}
