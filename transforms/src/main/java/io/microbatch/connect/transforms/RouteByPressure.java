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
 * Sends a record to a topic by the pressure level, or, if its event is older than a budget, to a topic for late ones.
 *
 * <p>The level is that of the record's batch behind the microbatch connector, else that of the rate at which records
 * pass. An event whose time is not known is not late. A topic that the format has made already is left alone, so that a
 * second run changes nothing. Task thread.
 *
 * @param <R> the kind of record
 */
public class RouteByPressure<R extends ConnectRecord<R>> implements Transformation<R>, Versioned {

    /** What it does. */
    public static final String OVERVIEW_DOC =
            "Change the topic by the pressure level, or send events that are older than a budget to a topic of "
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
                    "level gives each pressure level a topic, age gives late events one.")
            .define(
                    LEVEL_TOPIC_CONFIG,
                    Type.STRING,
                    TopicFormat.TOPIC + "-" + TopicFormat.LEVEL,
                    Importance.MEDIUM,
                    "The topic by level: ${topic} is the record's own, ${level} is L1 to L10.")
            .define(
                    AGE_BUDGET_MS_CONFIG,
                    Type.LONG,
                    null,
                    Importance.HIGH,
                    "How old an event may be, in milliseconds, before it is late. Needed with route.by=age.")
            .define(
                    LATE_TOPIC_CONFIG,
                    Type.STRING,
                    TopicFormat.TOPIC + "-late",
                    Importance.MEDIUM,
                    "The topic of late events: ${topic} is the record's own.")
            .define(EventTime.FIELD_CONFIG, Type.STRING, "", Importance.MEDIUM, EventTime.FIELD_DOC)
            .define(
                    SMOOTHING_MS_CONFIG,
                    Type.LONG,
                    Smoothing.DEFAULT_MS,
                    Smoothing.RANGE,
                    Importance.LOW,
                    Smoothing.DOC + " Not used for records that know their batch.");

    private final LongSupplier nanoClock;
    private final LongSupplier epochMsClock;

    private boolean byAge;
    private EventTime eventTime;
    private AgeWatch ages;
    private LevelWatch levels;
    private TopicRoutes routes;

    /** As Connect makes it. */
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
                    + "=age: the age in milliseconds, 0 or more, behind which an event is late");
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
        // Holds nothing open.
    }
}
