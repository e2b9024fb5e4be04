package io.microbatch.connect.upstream.http;

import io.microbatch.connect.metrics.UpstreamMetric;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** Counts a task's requests and measures its answers. Any thread. */
final class HttpFigures {

    private static final List<Integer> STATUSES =
            List.of(200, 400, 401, 403, 404, 405, 406, 408, 409, 413, 414, 415, 417, 422, 429, 431, 500, 503, 504);

    private static final long HIGHEST_MICROS = 3_600_000_000L;
    private static final int DIGITS = 2;

    private final Map<Integer, LongAdder> answered = new TreeMap<>();
    private final Map<Cause, LongAdder> refused = new EnumMap<>(Cause.class);
    private final LongAdder refusedToClient = new LongAdder();
    private final Map<ConnectionLimit, LongAdder> closed = new EnumMap<>(ConnectionLimit.class);
    private final LongAdder unknown = new LongAdder();
    private final LongAdder replayed = new LongAdder();
    private final AtomicInteger connections = new AtomicInteger();
    private final Recorder answerMicros = new Recorder(1, HIGHEST_MICROS, DIGITS);

    /** Used by {@link #tick} only. */
    private Histogram second;

    private volatile double p50Ms;
    private volatile double p99Ms;
    private volatile int port;

    HttpFigures() {
        STATUSES.forEach(status -> answered.put(status, new LongAdder()));
        for (Cause cause : Cause.values()) {
            refused.put(cause, new LongAdder());
        }
        for (ConnectionLimit limit : ConnectionLimit.values()) {
            closed.put(limit, new LongAdder());
        }
    }

    /** A request is answered. */
    void answered(int status) {
        LongAdder count = answered.get(status);
        if (count != null) {
            count.increment();
        }
    }

    /** A request whose records Kafka has is answered, this time after its head. */
    void written(long nanos) {
        answerMicros.recordValue(Math.max(1, Math.min(HIGHEST_MICROS, nanos / 1_000)));
    }

    /** A request is not served for this cause. */
    void ended(Cause cause) {
        if (cause.isUnknown()) {
            unknown.increment();
        } else {
            refused.get(cause).increment();
        }
    }

    /** A request is refused because of what the client sent. */
    void refusedToClient() {
        refusedToClient.increment();
    }

    /** A connection is closed at once, because of this limit. */
    void closed(ConnectionLimit limit) {
        closed.get(limit).increment();
    }

    void replayed() {
        replayed.increment();
    }

    /** The connections that are open. */
    AtomicInteger connections() {
        return connections;
    }

    void listensOn(int number) {
        port = number;
    }

    /** Updates the times of the last second. Called every second, by one thread. */
    void tick() {
        second = answerMicros.getIntervalHistogram(second);
        if (second.getTotalCount() > 0) {
            p50Ms = second.getValueAtPercentile(50) / 1_000.0;
            p99Ms = second.getValueAtPercentile(99) / 1_000.0;
        }
    }

    /** All figures, with those of the admission. */
    List<UpstreamMetric.Figure> all(Admission admission) {
        List<UpstreamMetric.Figure> figures = new ArrayList<>();
        answered.forEach((status, count) ->
                figures.add(new UpstreamMetric.Figure(HttpMetric.REQUEST_TOTAL, status.toString(), count::sum)));
        refused.forEach((cause, count) -> {
            if (!cause.isUnknown()) {
                figures.add(new UpstreamMetric.Figure(HttpMetric.REFUSED_TOTAL, cause.label(), count::sum));
            }
        });
        figures.add(new UpstreamMetric.Figure(HttpMetric.REFUSED_TOTAL, "client", refusedToClient::sum));
        closed.forEach((limit, count) ->
                figures.add(new UpstreamMetric.Figure(HttpMetric.CLOSED_TOTAL, limit.label(), count::sum)));
        add(figures, HttpMetric.UNKNOWN_TOTAL, unknown::sum);
        add(figures, HttpMetric.REPLAYED_TOTAL, replayed::sum);
        add(figures, HttpMetric.INFLIGHT_REQUESTS, admission::inflightRequests);
        add(figures, HttpMetric.INFLIGHT_BYTES, admission::inflightBytes);
        add(figures, HttpMetric.CONNECTIONS, connections::get);
        add(figures, HttpMetric.ANSWER_P50_MS, () -> p50Ms);
        add(figures, HttpMetric.ANSWER_P99_MS, () -> p99Ms);
        add(figures, HttpMetric.PORT, () -> port);
        add(figures, HttpMetric.READY, () -> admission.unready() == null ? 1 : 0);
        return List.copyOf(figures);
    }

    private static void add(List<UpstreamMetric.Figure> figures, HttpMetric metric, DoubleSupplier value) {
        figures.add(new UpstreamMetric.Figure(metric, "", value));
    }
}
