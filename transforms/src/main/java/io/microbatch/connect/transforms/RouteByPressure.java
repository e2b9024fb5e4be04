package io.microbatch.connect.transforms;

import io.microbatch.connect.common.Version;
import io.microbatch.connect.pressure.PressureLevel;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.components.Versioned;
import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.transforms.Transformation;

/**
 * Selects a record's topic by the pressure level, or sends events that are older than a budget to a topic of their own.
 *
 * <p>For records of the microbatch connector the level is that of the batch, otherwise that of the rate of records. An
 * event of unknown time is not late. A topic that the format has already produced is not changed, so that the transform
 * may run twice. Task thread.
 *
 * @param <R> the kind of record
 */
public class RouteByPressure<R extends ConnectRecord<R>> implements Transformation<R>, Versioned {

    /** The description in the documentation. */
    public static final String OVERVIEW_DOC =
            "Select the topic by the pressure level, or send events that are older than a budget to a topic of "
                    + "their own.";

    static final String ROUTE_BY_CONFIG = "route.by";
    static final String LEVEL_TOPIC_CONFIG = "level.topic.format";
    static final String LATE_TOPIC_CONFIG = "late.topic.format";
    static final String AGE_BUDGET_MS_CONFIG = "age.budget.ms";
    static final String SMOOTHING_MS_CONFIG = "smoothing.ms";

    private static final String LEVEL = "level";
    private static final String AGE = "age";

    /** Its settings. */
    public static final ConfigDef CONFIG_DEF = new ConfigDef()
            .define(
                    ROUTE_BY_CONFIG,
                    Type.STRING,
                    LEVEL,
                    ValidString.in(LEVEL, AGE),
                    Importance.HIGH,
                    "With 'level' each pressure level has its own topic. With 'age' late events have their own topic.")
            .define(
                    LEVEL_TOPIC_CONFIG,
                    Type.STRING,
                    TopicFormat.TOPIC + "-" + TopicFormat.LEVEL,
                    Importance.MEDIUM,
                    "The topic of a level: ${topic} stands for the record's topic, ${level} for L1 to L10.")
            .define(
                    AGE_BUDGET_MS_CONFIG,
                    Type.LONG,
                    null,
                    Importance.HIGH,
                    "The age in milliseconds above which an event is late. Required with route.by=age.")
            .define(
                    LATE_TOPIC_CONFIG,
                    Type.STRING,
                    TopicFormat.TOPIC + "-late",
                    Importance.MEDIUM,
                    "The topic of late events: ${topic} stands for the record's topic.")
            .define(EventTime.FIELD_CONFIG, Type.STRING, "", Importance.MEDIUM, EventTime.FIELD_DOC)
            .define(
                    SMOOTHING_MS_CONFIG,
                    Type.LONG,
                    Smoothing.DEFAULT_MS,
                    Smoothing.RANGE,
                    Importance.LOW,
                    Smoothing.DOC + " Not used for records of the microbatch connector.");

    private final LongSupplier nanoClock;
    private final LongSupplier epochMsClock;

    private boolean byAge;
    private EventTime eventTime;
    private AgeWatch ages;
    private LevelWatch levels;
    private TopicRoutes routes;

    public RouteByPressure() {
        this(System::nanoTime, System::currentTimeMillis);
    }

    RouteByPressure(LongSupplier nanoClock, LongSupplier epochMsClock) {
        this.nanoClock = nanoClock;
        this.epochMsClock = epochMsClock;
    }

    @Override
    public void configure(Map<String, ?> configs) {
        AbstractConfig config = new AbstractConfig(CONFIG_DEF, configs, false);
        byAge = config.getString(ROUTE_BY_CONFIG).equals(AGE);
        Long budgetMs = config.getLong(AGE_BUDGET_MS_CONFIG);
        if (byAge && (budgetMs == null || budgetMs < 0)) {
            throw new ConfigException(AGE_BUDGET_MS_CONFIG + " must be set with " + ROUTE_BY_CONFIG
                    + "=age: the age in milliseconds, 0 or more, above which an event is late");
        }
        ages = new AgeWatch(budgetMs == null ? 0 : budgetMs, epochMsClock);
        eventTime = new EventTime(config.getString(EventTime.FIELD_CONFIG));
        levels = new LevelWatch(config.getLong(SMOOTHING_MS_CONFIG), nanoClock);
        String key = byAge ? LATE_TOPIC_CONFIG : LEVEL_TOPIC_CONFIG;
        routes = new TopicRoutes(new TopicFormat(key, config.getString(key), !byAge));
    }

    @Override
    public R apply(R record) {
        String topic = record.topic();
        if (topic == null || (byAge && !ages.isLate(eventTime.epochMs(record)))) {
            return record;
        }
        String target = routes.of(topic, byAge ? PressureLevel.L1_REALTIME : levels.of(record));
        return target.equals(topic)
                ? record
                : record.newRecord(
                        target,
                        record.kafkaPartition(),
                        record.keySchema(),
                        record.key(),
                        record.valueSchema(),
                        record.value(),
                        record.timestamp());
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
        // Nothing to close.
    }
}
