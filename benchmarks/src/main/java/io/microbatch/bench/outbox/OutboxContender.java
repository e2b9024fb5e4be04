package io.microbatch.bench.outbox;

import io.microbatch.bench.cdc.DebeziumTuning;
import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.Settings;
import io.microbatch.bench.outbox.peer.RelayPlan;
import io.microbatch.bench.outbox.peer.Sending;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What carries the rows in {@code bench outbox}. */
enum OutboxContender {
    /** The outbox upstream with one task, on an exactly-once worker. */
    OUTBOX_1(Kind.OUTBOX, Map.of()),
    /** The same with four shards in four tasks. */
    OUTBOX_4(Kind.OUTBOX, Map.of("tasks.max", "4", "upstream.outbox.shards", "4")),
    /** One task with the objective that prefers short waits. */
    OUTBOX_LATENCY(Kind.OUTBOX, Map.of("batch.objective", "latency")),
    /** One task on an at-least-once worker. */
    OUTBOX_ALO(Kind.OUTBOX, Map.of()),
    /** A relay that sends each row and waits for it. */
    SEND_AND_WAIT(new RelayPlan(Sending.SEND_AND_WAIT, 100, 1, Polling.MS, 0)),
    /** A relay that sends ten rows, flushes once, and waits for each. */
    FIRE_FLUSH_AWAIT_10(new RelayPlan(Sending.FIRE_FLUSH_AWAIT, 10, 1, Polling.MS, Polling.LINGER_MS)),
    /** The same with fifty rows. */
    FIRE_FLUSH_AWAIT_50(new RelayPlan(Sending.FIRE_FLUSH_AWAIT, 50, 1, Polling.MS, Polling.LINGER_MS)),
    /** The same with a hundred rows. */
    FIRE_FLUSH_AWAIT_100(new RelayPlan(Sending.FIRE_FLUSH_AWAIT, 100, 1, Polling.MS, Polling.LINGER_MS)),
    /** The same with a thousand rows. */
    FIRE_FLUSH_AWAIT_1000(new RelayPlan(Sending.FIRE_FLUSH_AWAIT, 1_000, 1, Polling.MS, Polling.LINGER_MS)),
    /** The same with five thousand rows. */
    FIRE_FLUSH_AWAIT_5000(new RelayPlan(Sending.FIRE_FLUSH_AWAIT, 5_000, 1, Polling.MS, Polling.LINGER_MS)),
    /** The same with twenty thousand rows. */
    FIRE_FLUSH_AWAIT_20000(new RelayPlan(Sending.FIRE_FLUSH_AWAIT, 20_000, 1, Polling.MS, Polling.LINGER_MS)),
    /** A relay that sends a hundred rows with two workers, which skip each other's rows. */
    FIRE_FLUSH_AWAIT_100_X2(new RelayPlan(Sending.FIRE_FLUSH_AWAIT, 100, 2, Polling.MS, Polling.LINGER_MS)),
    /** Debezium with its event router and short queues, and a commit with each poll. */
    DEBEZIUM_SMALL(Kind.DEBEZIUM, DebeziumTuning.SMALL),
    /** Debezium with its event router and longer queues, and a commit every 50 ms. */
    DEBEZIUM_MID_I50(Kind.DEBEZIUM, DebeziumTuning.MID_I50),
    /** The same with a producer's linger as long, which saves produce requests. */
    DEBEZIUM_MID_I50_L50(Kind.DEBEZIUM, DebeziumTuning.MID_I50_L50),
    /** Debezium with its event router and the longest queues, and a commit with each poll. */
    DEBEZIUM_TUNED(Kind.DEBEZIUM, DebeziumTuning.TUNED),
    /** Debezium with its event router, hosted by this connector. */
    HOSTED(Kind.HOSTED, Map.of());

    /** What {@code --quick} compares. */
    static final List<OutboxContender> QUICK = List.of(
            OUTBOX_1,
            OUTBOX_4,
            SEND_AND_WAIT,
            FIRE_FLUSH_AWAIT_10,
            FIRE_FLUSH_AWAIT_50,
            FIRE_FLUSH_AWAIT_100,
            FIRE_FLUSH_AWAIT_1000,
            FIRE_FLUSH_AWAIT_20000,
            FIRE_FLUSH_AWAIT_100_X2,
            DEBEZIUM_SMALL,
            DEBEZIUM_MID_I50,
            DEBEZIUM_MID_I50_L50,
            HOSTED);

    /** What a contender is. */
    enum Kind {
        OUTBOX,
        RELAY,
        DEBEZIUM,
        HOSTED
    }

    private static final String MICROBATCH = "io.microbatch.connect.MicrobatchSourceConnector";
    private static final String POSTGRES = "io.debezium.connector.postgresql.PostgresConnector";
    private static final String HOSTED_PREFIX = "upstream.connector.";

    private final Kind kind;
    private final Map<String, String> own;
    private final Optional<RelayPlan> plan;

    OutboxContender(Kind kind, Map<String, String> own) {
        this.kind = kind;
        this.own = own;
        this.plan = Optional.empty();
    }

    OutboxContender(RelayPlan plan) {
        this.kind = Kind.RELAY;
        this.own = Map.of();
        this.plan = Optional.of(plan);
    }

    /** What all relays have in common. */
    private static final class Polling {
        /** The outbox upstream's default. */
        private static final int MS = 20;

        /** The producer's default. A flush does not wait for it. */
        private static final int LINGER_MS = 5;
    }

    /** As options and results spell it. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Kind kind() {
        return kind;
    }

    /** Whether it is the outbox upstream. */
    boolean isOurs() {
        return kind == Kind.OUTBOX;
    }

    /** Whether rows of the table are deleted when Kafka has them. */
    boolean isDeleting() {
        return kind == Kind.OUTBOX || kind == Kind.RELAY;
    }

    /** Whether it reads the database's log through a replication slot. */
    boolean isStreaming() {
        return kind == Kind.DEBEZIUM || kind == Kind.HOSTED;
    }

    /** What it promises. */
    Delivery delivery() {
        return kind == Kind.RELAY || this == OUTBOX_ALO ? Delivery.AT_LEAST_ONCE : Delivery.EXACTLY_ONCE;
    }

    /** Whether it promises the order of a key. */
    boolean isOrdered() {
        return plan.map(relay -> relay.workers() == 1).orElse(true);
    }

    int tasks() {
        return Integer.parseInt(own.getOrDefault("tasks.max", "1"));
    }

    /** How a relay works. Empty for connectors. */
    Optional<RelayPlan> plan() {
        return plan;
    }

    /** Of a backlog of so many rows a slow contender carries a part, so that all take seconds. */
    int backlogRows(int rows) {
        int part = switch (this) {
            case SEND_AND_WAIT -> 100;
            case FIRE_FLUSH_AWAIT_10 -> 20;
            case FIRE_FLUSH_AWAIT_50 -> 8;
            case FIRE_FLUSH_AWAIT_100, FIRE_FLUSH_AWAIT_100_X2 -> 4;
            default -> 1;
        };
        return Math.max(1, rows / part);
    }

    /** What it is configured with, without the addresses and the names of a run. */
    Map<String, String> settings() {
        return plan.map(RelayPlan::settings).orElseGet(this::connector);
    }

    private Map<String, String> connector() {
        Map<String, String> config = new TreeMap<>();
        config.put("tasks.max", "1");
        config.put("key.converter", "org.apache.kafka.connect.storage.StringConverter");
        config.put("value.converter", "org.apache.kafka.connect.storage.StringConverter");
        if (delivery() == Delivery.EXACTLY_ONCE) {
            config.put("exactly.once.support", "required");
        }
        if (kind == Kind.DEBEZIUM) {
            config.put("connector.class", POSTGRES);
        } else {
            config.put("connector.class", MICROBATCH);
            // A turn lasts some seconds.
            config.putAll(Settings.SHORT_RUN);
        }
        if (kind == Kind.OUTBOX) {
            config.put("upstream.type", "outbox");
        } else {
            config.putAll(router());
        }
        config.putAll(own);
        return config;
    }

    private Map<String, String> router() {
        Map<String, String> config = new TreeMap<>();
        if (kind == Kind.HOSTED) {
            config.put("upstream.type", "connector");
            config.put(HOSTED_PREFIX + "class", POSTGRES);
        }
        config.put(prefix() + "plugin.name", "pgoutput");
        config.put(prefix() + "publication.autocreate.mode", "filtered");
        config.put(prefix() + "snapshot.mode", "no_data");
        config.put(prefix() + "table.include.list", "public." + OutboxTable.NAME);
        config.put("transforms", "outbox");
        config.put("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        return config;
    }

    /** What the keys of Debezium's own settings begin with. */
    String prefix() {
        return kind == Kind.HOSTED ? HOSTED_PREFIX : "";
    }
}
