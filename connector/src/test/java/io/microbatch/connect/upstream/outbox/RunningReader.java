package io.microbatch.connect.upstream.outbox;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.stripe.StripeSet;
import io.microbatch.connect.upstream.Intake;
import io.microbatch.connect.upstream.PlainIntake;
import io.microbatch.connect.upstream.UpstreamReader;
import io.microbatch.connect.upstream.synthetic.StoredOffsets;
import io.microbatch.testbed.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/** A reader of a real database. The test plays the task, the worker and Kafka. One thread. */
final class RunningReader implements AutoCloseable {

    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final StripeSet<EventRecord> stripes = new StripeSet<>(1, 65_536, 1 << 28, () -> 0);
    private final AtomicLong aheadNanos = new AtomicLong();
    private final long createdNanos = System.nanoTime();
    private volatile boolean isFrozen;
    private final Intake intake = PlainIntake.into(stripes, this::nanos);
    private final List<EventRecord> seen = new ArrayList<>();
    private final Map<Map<String, ?>, Map<String, Object>> committed;
    private final UpstreamReader reader;
    private int settled;

    /** The reader continues at these offsets, and the settled events are committed there. */
    RunningReader(Map<String, String> config, Map<Map<String, ?>, Map<String, Object>> committed) {
        this(config, committed, new StoredOffsets(committed));
    }

    RunningReader(
            Map<String, String> config,
            Map<Map<String, ?>, Map<String, Object>> committed,
            OffsetStorageReader offsets) {
        this.committed = committed;
        Map<String, String> task = new HashMap<>(config);
        task.put("name", config.get("upstream.outbox.table"));
        task.put("upstream.outbox.task.first", "0");
        task.put("upstream.outbox.task.step", "1");
        this.reader = OutboxUpstream.reader(task, offsets, this::nanos);
    }

    static Map<String, String> config(PostgresServer postgres, String url, String table, Map<String, String> more) {
        Map<String, String> config = new HashMap<>(Map.of(
                "upstream.type",
                "outbox",
                "upstream.outbox.jdbc.url",
                url,
                "upstream.outbox.user",
                postgres.user(),
                "upstream.outbox.password",
                postgres.password(),
                "upstream.outbox.table",
                table));
        more.forEach((key, value) -> config.put("upstream.outbox." + key, value));
        return config;
    }

    /** The statement that creates a table whose payload is of this type. */
    static String create(String table, String payloadType) {
        return "CREATE TABLE " + table + " (id int, aggregatetype text DEFAULT 'orders', aggregateid text DEFAULT 'k', "
                + "payload " + payloadType + ", seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE, "
                + "xid xid8 NOT NULL DEFAULT pg_current_xact_id())";
    }

    /** The statement that inserts rows with these payloads, in their order. */
    static String insert(String table, String... payloads) {
        return "INSERT INTO " + table + " (payload) VALUES ('" + String.join("'), ('", payloads) + "')";
    }

    /** Runs statements in any database of the server, each in a transaction of its own. */
    static void execute(PostgresServer postgres, String url, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, postgres.user(), postgres.password());
                Statement sql = connection.createStatement()) {
            for (String statement : statements) {
                boolean ignored = sql.execute(statement);
            }
        }
    }

    /** The number that a query returns. */
    static long number(PostgresServer postgres, String query) {
        List<Long> found = new ArrayList<>();
        postgres.query(query, row -> found.add(row.getLong(1)));
        return found.get(0);
    }

    /** The first column of a query's rows. */
    static List<String> texts(Connection connection, String query) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Statement sql = connection.createStatement();
                ResultSet rows = sql.executeQuery(query)) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        }
        return found;
    }

    RunningReader start() {
        reader.start();
        return this;
    }

    private long nanos() {
        return (isFrozen ? createdNanos : System.nanoTime()) + aheadNanos.get();
    }

    /** Returns to the time of the reader's creation, and from now on time passes with {@link #advance} only. */
    RunningReader freeze() {
        isFrozen = true;
        return this;
    }

    /** Lets the reader's time pass. */
    void advance(long millis) {
        long ignored = aheadNanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** One fetch, which is asked for again if it should be repeated. */
    void fetch() throws InterruptedException {
        try {
            reader.fetch(intake);
        } catch (RetriableException e) {
            // The reader's loop asks again.
        }
        int ignored = stripes.drain((event, size) -> seen.add(event), 65_536, 1 << 28, EventRecord::sameOffset);
    }

    void fetchUntil(BooleanSupplier condition, Supplier<String> detail) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + LIMIT_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadlineNanos) {
                throw new IllegalStateException("not in time. Last seen: " + detail.get());
            }
            fetch();
        }
    }

    /** Fetches until there are so many events. */
    RunningReader fetchEvents(int atLeast) throws InterruptedException {
        fetchUntil(() -> seen.size() >= atLeast, () -> values().toString());
        return this;
    }

    /** Settles everything that was handed over and is not settled: Kafka has it, and its offset is committed. */
    void settle() throws InterruptedException {
        for (; settled < seen.size(); settled++) {
            EventRecord event = seen.get(settled);
            event.settle(new RecordMetadata(new TopicPartition(event.topic(), 0), 7, 0, 0, 0, 0), 0);
            committed.put(event.sourcePartition(), new HashMap<>(event.sourceOffset()));
            reader.settled(event);
        }
    }

    /** The events in the order of their arrival. */
    List<EventRecord> seen() {
        return seen;
    }

    /** The payloads in the order of their arrival. */
    List<Object> values() {
        return seen.stream().map(EventRecord::value).toList();
    }

    /** The rows that wait for their deletion. */
    double undeleted() {
        return reader.figures().stream()
                .filter(figure -> figure.metric() == OutboxMetric.UNDELETED_ROWS)
                .mapToDouble(figure -> figure.value().getAsDouble())
                .sum();
    }

    /** The time since the database was heard, in milliseconds. */
    double silentMs() {
        return PlainIntake.silentMs(intake);
    }

    /** How often the database is asked, in milliseconds. */
    double heartbeatMs() {
        return reader.heartbeatMs();
    }

    /** As after a failed start. */
    void stop() {
        reader.stop();
    }

    @Override
    public void close() {
        stop();
    }
}
