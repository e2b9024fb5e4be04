package io.microbatch.bench.hosting;

import io.microbatch.testbed.Await;
import io.microbatch.testbed.PostgresServer;
import io.microbatch.testbed.TopicReader;
import io.microbatch.testbed.oracle.Event;
import io.microbatch.testbed.oracle.EventText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Debezium's PostgreSQL connector with all that it delivers: an initial snapshot, inserts, updates, changed keys,
 * deletes with tombstones, TRUNCATE, an incremental snapshot by the signal table, notifications and heartbeats. Either
 * side has a schema of its own in the same database, which sees the same changes.
 */
final class PostgresMember extends Member {

    /** As the results list it. */
    static final String NAME = "debezium-postgresql";

    private static final int TURNS_PER_SEC = 4;
    private static final int PER_TURN = 5;
    private static final int BURST = 150;
    private static final int FIRST_ORDERS = 40;
    private static final int LEDGER_ROWS = 100;
    private static final int TRUNCATE_EVERY = 40;
    private static final int KINDS = 5;
    private static final Duration SNAPSHOT_LIMIT = Duration.ofSeconds(60);

    private static final String INITIAL = "Initial Snapshot";
    private static final String INCREMENTAL = "Incremental Snapshot";
    private static final String HEARTBEAT = "heartbeat";

    private record Order(long id, String note) {}

    private final String prefix;
    private final long run;
    private final PostgresServer postgres;
    private final Canary canary;
    private final Stage stage;
    private final Map<Side, Changes> changes = new EnumMap<>(Side.class);
    private final Deque<Order> orders = new ArrayDeque<>();
    private boolean askedAgain;
    private long number;
    private long turns;

    /** Prepares it. */
    PostgresMember(String prefix, String version, long run, PostgresServer postgres, Stage stage, Canary canary) {
        super(NAME, "Debezium PostgresConnector " + version, 1, true);
        this.prefix = prefix;
        this.run = run;
        this.postgres = postgres;
        this.stage = stage;
        this.canary = canary;
    }

    private String schema(Side side) {
        return prefix.replace('-', '_') + side.text();
    }

    private String topicPrefix(Side side) {
        return prefix + side.text();
    }

    private String topic(Side side, String table) {
        return topicPrefix(side) + "." + schema(side) + "." + table;
    }

    @Override
    List<Topic> topics(Side side) {
        return List.of(
                new Topic(topic(side, "orders"), 1, false),
                new Topic(topic(side, "scratch"), 1, false),
                new Topic(topic(side, "ledger"), 1, false));
    }

    private String notifications(Side side) {
        return topicPrefix(side) + ".notifications";
    }

    private String heartbeats(Side side) {
        return "__debezium-heartbeat." + topicPrefix(side);
    }

    @Override
    Map<String, String> own(Side side) {
        Map<String, String> own = new HashMap<>();
        own.put("class", "io.debezium.connector.postgresql.PostgresConnector");
        own.put("database.hostname", postgres.host());
        own.put("database.port", Integer.toString(postgres.port()));
        own.put("database.user", "hosting");
        own.put("database.password", canary.placeholder());
        own.put("database.dbname", postgres.database());
        own.put("plugin.name", "pgoutput");
        own.put("slot.name", schema(side));
        own.put("slot.retry.delay.ms", "1000");
        own.put("slot.max.retries", "30");
        own.put("publication.name", schema(side));
        own.put("publication.autocreate.mode", "filtered");
        own.put("table.include.list", schema(side) + ".(orders|scratch|ledger|signals)");
        own.put("topic.prefix", topicPrefix(side));
        own.put("skipped.operations", "none");
        own.put("heartbeat.interval.ms", "1000");
        own.put("signal.data.collection", schema(side) + ".signals");
        own.put("incremental.snapshot.chunk.size", "20");
        own.put("notification.enabled.channels", "sink");
        own.put("notification.sink.topic.name", notifications(side));
        own.put("retriable.restart.connector.wait.ms", "1000");
        return own;
    }

    @Override
    Map<String, String> around() {
        return Map.of("tasks.max", "1");
    }

    private void createRole() {
        // There may be one already, of the other mode, with publications of its own.
        AtomicBoolean exists = new AtomicBoolean();
        postgres.query("SELECT 1 FROM pg_roles WHERE rolname = 'hosting'", row -> exists.set(true));
        if (!exists.get()) {
            postgres.execute("CREATE ROLE hosting SUPERUSER REPLICATION LOGIN PASSWORD '" + canary.value() + "'");
        }
    }

    @Override
    void begin() {
        createRole();
        List<Topic> others = new ArrayList<>();
        for (Side side : Side.values()) {
            changes.put(side, new Changes(postgres, schema(side)));
            others.add(new Topic(notifications(side), 1, false));
            others.add(new Topic(heartbeats(side), 1, false));
        }
        stage.create(others);
        for (int i = 0; i < FIRST_ORDERS; i++) {
            insertOrder();
        }
        for (int i = 0; i < LEDGER_ROWS; i++) {
            long id = ++number;
            String note = note(Changes.LEDGER);
            both(table -> table.insertLedger(id, note));
        }
    }

    /** Waits for the initial snapshot: whether it holds a change that is made meanwhile cannot be known beforehand. */
    @Override
    void started(TopicReader reader) {
        boolean ignored = Await.reached(
                SNAPSHOT_LIMIT, () -> isSnapshotTaken(Side.PLAIN, reader) && isSnapshotTaken(Side.HOSTED, reader));
        writeSteadily(TURNS_PER_SEC, PER_TURN);
    }

    private boolean isSnapshotTaken(Side side, TopicReader reader) {
        AtomicBoolean completed = new AtomicBoolean();
        reader.readCommitted(notifications(side), record -> completed.compareAndSet(false, completes(record, INITIAL)));
        return completed.get();
    }

    private static boolean completes(ConsumerRecord<byte[], byte[]> record, String what) {
        String text = record.value() == null ? "" : new String(record.value(), StandardCharsets.UTF_8);
        return text.contains("\"" + what + "\"") && text.contains("\"COMPLETED\"");
    }

    @Override
    void burst() {
        write(BURST);
    }

    @Override
    synchronized void halfway() {
        askedAgain = true;
        both(Changes::askForLedger);
    }

    @Override
    synchronized void write(int times) {
        for (int i = 0; i < times; i++) {
            long kind = turns++ % KINDS;
            if (kind <= 1) {
                insertOrder();
            } else if (kind == 2) {
                Order old = orders.remove();
                number++;
                String note = note(Changes.ORDERS);
                both(table -> table.updateOrder(old.id(), note));
                orders.add(new Order(old.id(), note));
            } else if (kind == 3) {
                Order old = orders.remove();
                long newId = ++number;
                String note = note(Changes.ORDERS);
                both(table -> table.moveOrder(old.id(), old.note(), newId, note));
                orders.add(new Order(newId, note));
            } else {
                Order old = orders.remove();
                both(table -> table.deleteOrder(old.id(), old.note()));
            }
            scratch();
        }
    }

    private void insertOrder() {
        long id = ++number;
        String note = note(Changes.ORDERS);
        both(table -> table.insertOrder(id, note));
        orders.add(new Order(id, note));
    }

    private void scratch() {
        long id = ++number;
        String note = note(Changes.SCRATCH);
        both(table -> table.insertScratch(id, note));
        if (turns % TRUNCATE_EVERY == 0) {
            both(Changes::truncateScratch);
        }
    }

    private String note(int stream) {
        return EventText.of(new Event(run, stream, number, System.currentTimeMillis()));
    }

    private void both(Consumer<Changes> change) {
        changes.values().forEach(change);
    }

    private List<String> signs() {
        return askedAgain ? List.of(INITIAL, HEARTBEAT, INCREMENTAL) : List.of(INITIAL, HEARTBEAT);
    }

    @Override
    String stream(int partition) {
        return partition < Changes.STREAMS
                ? Changes.NAMES.get(partition)
                : "sign " + signs().get(partition - Changes.STREAMS);
    }

    @Override
    Delivered delivered(Side side, TopicReader reader) {
        Changes ofSide = changes.get(side);
        List<String> signs = signs();
        ChangeReading reading = new ChangeReading(run, ofSide.truth(), signs);
        reader.readCommitted(topic(side, "orders"), record -> reading.saw("orders", Changes.ORDERS, record));
        reader.readCommitted(topic(side, "scratch"), record -> reading.saw("scratch", Changes.SCRATCH, record));
        reader.readCommitted(topic(side, "ledger"), record -> reading.saw("ledger", Changes.LEDGER, record));
        reader.readCommitted(heartbeats(side), record -> reading.sawSign(record, HEARTBEAT));
        reader.readCommitted(
                notifications(side),
                record -> signs.stream()
                        .filter(sign -> completes(record, sign))
                        .forEach(sign -> reading.sawSign(record, sign)));
        return reading.against(ofSide.rows());
    }

    @Override
    public void close() {
        super.close();
        changes.values().forEach(Changes::close);
        // Otherwise the server keeps its log for a connector that is gone; the worker may not have released it yet.
        postgres.execute("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE NOT active");
    }
}
