package io.microbatch.connect.transforms;

import io.microbatch.connect.common.Version;
import io.microbatch.connect.pressure.LatencyBudgets;
import io.microbatch.connect.pressure.Objective;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.Monitorable;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.components.Versioned;
import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.transforms.Transformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures the records of any source or sink connector without changing them: rate, sizes, event-time lag, and the
 * pressure level, N and T with which the adaptive connector would start.
 *
 * <p>It publishes plugin metrics (KIP-877) and so needs Connect 4.1 or later. An older worker cannot load this class,
 * but loads the rest of the plugin. Task thread; any thread may read the metrics.
 *
 * @param <R> the kind of record
 */
public class ObservePressure<R extends ConnectRecord<R>> implements Transformation<R>, Versioned, Monitorable {

    /** The description in the documentation. */
    public static final String OVERVIEW_DOC =
            "Measure the records of any connector without changing them: rate, sizes, event-time lag, and the pressure "
                    + "level, maximum records (N) and linger (T) with which the microbatch source connector would "
                    + "start.";

    static final String SMOOTHING_MS_CONFIG = "smoothing.ms";
    static final String LATENCY_TARGET_MS_CONFIG = "latency.target.ms";
    static final String OBJECTIVE_CONFIG = "objective";

    private static final int NO_TARGET = Integer.MAX_VALUE;

    /** Its settings. */
    public static final ConfigDef CONFIG_DEF = new ConfigDef()
            .define(
                    SMOOTHING_MS_CONFIG,
                    Type.LONG,
                    Smoothing.DEFAULT_MS,
                    Smoothing.RANGE,
                    Importance.LOW,
                    Smoothing.DOC)
            .define(
                    LATENCY_TARGET_MS_CONFIG,
                    Type.INT,
                    NO_TARGET,
                    Range.atLeast(1),
                    Importance.MEDIUM,
                    "The latency.target.ms of the microbatch connector. With the objective efficiency it is the "
                            + "latency budget of every level, with the objective latency it caps the budgets. "
                            + "Without it, budgets follow the rate, from 30 to 75 ms.")
            .define(
                    OBJECTIVE_CONFIG,
                    Type.STRING,
                    "efficiency",
                    ValidString.in("efficiency", "latency"),
                    Importance.MEDIUM,
                    "The batch.objective of the microbatch connector.")
            .define(EventTime.FIELD_CONFIG, Type.STRING, "", Importance.MEDIUM, EventTime.FIELD_DOC);

    private static final Logger log = LoggerFactory.getLogger(ObservePressure.class);

    private final LongSupplier nanoClock;
    private final LongSupplier epochMsClock;
    private PressureWatch watch;

    public ObservePressure() {
        this(System::nanoTime, System::currentTimeMillis);
    }

    ObservePressure(LongSupplier nanoClock, LongSupplier epochMsClock) {
        this.nanoClock = nanoClock;
        this.epochMsClock = epochMsClock;
    }

    @Override
    public void configure(Map<String, ?> configs) {
        AbstractConfig config = new AbstractConfig(CONFIG_DEF, configs, false);
        Objective objective =
                Objective.valueOf(config.getString(OBJECTIVE_CONFIG).toUpperCase(Locale.ROOT));
        int targetMs = config.getInt(LATENCY_TARGET_MS_CONFIG);
        OptionalInt target = targetMs == NO_TARGET ? OptionalInt.empty() : OptionalInt.of(targetMs);
        watch = new PressureWatch(
                new WatchSettings(
                        config.getLong(SMOOTHING_MS_CONFIG),
                        LatencyBudgets.of(target, objective),
                        objective,
                        new EventTime(config.getString(EventTime.FIELD_CONFIG))),
                nanoClock,
                epochMsClock);
    }

    @Override
    public void withPluginMetrics(PluginMetrics metrics) {
        PressureWatch watched = watch;
        try {
            for (WatchMetric metric : WatchMetric.values()) {
                MetricName name = metrics.metricName(metric.metricName(), metric.description(), new LinkedHashMap<>());
                Gauge<Double> gauge = (config, nowMs) -> metric.of(watched);
                metrics.addMetric(name, gauge);
            }
        } catch (RuntimeException e) {
            // A predecessor that Connect no longer waits for keeps the names until it ends.
            log.warn("The metrics of this transform could not be registered; it runs without them", e);
        }
    }

    @Override
    public R apply(R record) {
        watch.pass(record);
        return record;
    }

    @Override
    public ConfigDef config() {
        return CONFIG_DEF;
    }

    @Override
    public String version() {
        return Version.current();
    }

    @Override
    public void close() {
        // Nothing to close: the worker removes the metrics.
    }
}
