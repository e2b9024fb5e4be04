package io.microbatch.connect.transforms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.microbatch.connect.pressure.BatchSetting;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.MetricValueProvider;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

class ObservePressureTest {

    private static final long MS = 1_000_000;

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final AtomicLong epochMs = new AtomicLong(Records.TIMESTAMP_MS);
    private final Map<String, MetricValueProvider<?>> published = new HashMap<>();

    private final PluginMetrics worker = new PluginMetrics() {
        @Override
        public MetricName metricName(String name, String description, LinkedHashMap<String, String> tags) {
            assertThat(description).endsWith(".");
            return new MetricName(name, "plugins", description, tags);
        }

        @Override
        public void addMetric(MetricName name, MetricValueProvider<?> value) {
            if (published.putIfAbsent(name.name(), value) != null) {
                throw new IllegalArgumentException("there is one of this name: " + name);
            }
        }

        @Override
        public void removeMetric(MetricName name) {
            throw new AssertionError("the worker removes them");
        }

        @Override
        public Sensor addSensor(String name) {
            throw new AssertionError("no sensors");
        }

        @Override
        public void removeSensor(String name) {
            throw new AssertionError("no sensors");
        }
    };

    private ObservePressure<SourceRecord> transform(Map<String, String> settings) {
        ObservePressure<SourceRecord> transform = new ObservePressure<>(nanos::get, epochMs::get);
        transform.configure(settings);
        transform.withPluginMetrics(worker);
        return transform;
    }

    private double metric(String name) {
        return (Double) ((Gauge<?>) published.get(name)).value(null, 0);
    }

    private void pass(ObservePressure<SourceRecord> transform, SourceRecord record, int count, long everyNanos) {
        for (int i = 0; i < count; i++) {
            nanos.addAndGet(everyNanos);
            assertThat(transform.apply(record)).isSameAs(record);
        }
    }

    @Test
    void showsNoValuesBeforeTheFirstRecord() {
        transform(Map.of());
        assertThat(published).hasSize(10);
        assertThat(metric("record-total")).isZero();
        assertThat(metric("record-rate")).isZero();
        assertThat(metric("pressure-level")).isOne();
        assertThat(metric("record-size-avg-bytes")).isNaN();
        assertThat(metric("record-size-max-bytes")).isNaN();
        assertThat(metric("event-lag-avg-ms")).isNaN();
        assertThat(metric("event-lag-max-ms")).isNaN();
    }

    @Test
    void showsTheLevelAndTheFirstSettingOfTheAdaptiveConnector() {
        ObservePressure<SourceRecord> transform = transform(Map.of("smoothing.ms", "500"));
        pass(transform, Records.source(), 20_000, MS / 5);
        assertThat(metric("record-total")).isEqualTo(20_000);
        assertThat(metric("record-rate")).isCloseTo(5_000, within(50.0));
        assertThat(metric("pressure-level")).isEqualTo(5);
        assertThat(metric("budget-ms")).isEqualTo(75);
        assertThat(metric("batch-target-events"))
                .isEqualTo(BatchSetting.firstHostedEvents(metric("record-size-avg-bytes")))
                .isGreaterThan(2_000);
        assertThat(metric("linger-ms")).isEqualTo(37.5);
    }

    @Test
    void countsEveryRecordAndMeasuresTheRateFromASample() {
        ObservePressure<SourceRecord> transform = transform(Map.of("smoothing.ms", "500"));
        pass(transform, Records.source(), 3_000_000, 1_000);
        assertThat(metric("record-total")).isEqualTo(3_000_000);
        assertThat(metric("record-rate")).isCloseTo(1_000_000, within(10_000.0));
    }

    @Test
    void usesItsSettings() {
        ObservePressure<SourceRecord> transform =
                transform(Map.of("smoothing.ms", "500", "latency.target.ms", "10", "objective", "latency"));
        pass(transform, record(new byte[10_000]), 20_000, MS / 5);
        assertThat(metric("budget-ms")).isEqualTo(10);
        assertThat(metric("batch-target-events")).isEqualTo(2_000);
        assertThat(metric("linger-ms")).isEqualTo(1);
    }

    @Test
    void lowersTheLevelWhenTheStreamEnds() {
        ObservePressure<SourceRecord> transform = transform(Map.of());
        pass(transform, Records.source(), 20_000, MS);
        assertThat(metric("pressure-level")).isEqualTo(4);
        nanos.addAndGet(60_000 * MS);
        assertThat(metric("pressure-level")).isOne();
    }

    @Test
    void showsSizesAndLagsOfTheLastMinuteOnly() {
        ObservePressure<SourceRecord> transform = transform(Map.of());
        epochMs.set(Records.TIMESTAMP_MS + 250);
        pass(transform, record(new byte[10_000]), 3, 500 * MS);
        epochMs.set(Records.TIMESTAMP_MS + 750);
        pass(transform, record(new byte[30_000]), 1, 500 * MS);
        assertThat(metric("record-size-avg-bytes")).isBetween(15_000.0, 15_500.0);
        assertThat(metric("record-size-max-bytes")).isBetween(30_000.0, 30_500.0);
        assertThat(metric("event-lag-avg-ms")).isEqualTo(375);
        assertThat(metric("event-lag-max-ms")).isEqualTo(750);

        nanos.addAndGet(61_000 * MS);
        assertThat(metric("record-size-avg-bytes")).isNaN();
        assertThat(metric("event-lag-max-ms")).isNaN();
    }

    @Test
    void showsNoLagOfEventsWithoutTime() {
        ObservePressure<SourceRecord> transform = transform(Map.of("event.time.field", "absent"));
        pass(transform, record(new byte[1]), 5, MS);
        assertThat(metric("event-lag-avg-ms")).isNaN();
        assertThat(metric("record-size-avg-bytes")).isPositive();
    }

    /** Connect and MirrorMaker write -1 for a record without a timestamp. */
    @Test
    void takesANegativeTimestampForNone() {
        ObservePressure<SourceRecord> transform = transform(Map.of());
        pass(transform, new SourceRecord(Map.of(), Map.of(), "t", null, null, null, null, "v", -1L), 5, MS);
        assertThat(metric("event-lag-avg-ms")).isNaN();
        assertThat(metric("event-lag-max-ms")).isNaN();
    }

    @Test
    void runsWithoutMetricsIfTheNamesAreTaken() {
        ObservePressure<SourceRecord> first = transform(Map.of());
        ObservePressure<SourceRecord> successor = transform(Map.of());
        pass(successor, Records.source(), 5, MS);
        assertThat(metric("record-total"))
                .as("of the first, through which nothing went")
                .isZero();
        pass(first, Records.source(), 3, MS);
        assertThat(metric("record-total")).isEqualTo(3);
    }

    private static SourceRecord record(byte[] value) {
        SourceRecord like = Records.source();
        return like.newRecord(like.topic(), null, null, null, null, value, Records.TIMESTAMP_MS);
    }
}
