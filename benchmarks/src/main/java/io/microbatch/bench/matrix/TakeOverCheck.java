package io.microbatch.bench.matrix;

import io.microbatch.testbed.Await;
import io.microbatch.testbed.JmxReader;
import io.microbatch.testbed.PostgresServer;
import io.microbatch.testbed.oracle.Event;
import io.microbatch.testbed.oracle.EventText;
import io.microbatch.testbed.oracle.Findings;
import io.microbatch.testbed.oracle.Oracle;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Debezium's connector for PostgreSQL runs plain, is then hosted under its name, and runs plain again. Rows are written
 * before, during and after each move. One thread.
 */
final class TakeOverCheck {

    static final String DEBEZIUM = "io.debezium.connector.postgresql.PostgresConnector";

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String PREFIX = "upstream.connector.";
    private static final int ROWS = 150;
    private static final long RUN = 13;

    private final CellServers servers;
    private final PostgresServer postgres;
    private final String name;
    private long rows;

    /**
     * Creates the table.
     *
     * @param name of table, slot, publication and connector
     */
    TakeOverCheck(CellServers servers, PostgresServer postgres, String name) {
        this.servers = servers;
        this.postgres = postgres;
        this.name = name;
        postgres.execute("CREATE TABLE " + name + " (seq bigint PRIMARY KEY, note text NOT NULL)");
    }

    /** Debezium's own configuration. */
    private Map<String, String> plain() {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", DEBEZIUM);
        config.put("tasks.max", "1");
        config.put("exactly.once.support", "required");
        config.put("database.hostname", postgres.host());
        config.put("database.port", Integer.toString(postgres.port()));
        config.put("database.user", postgres.user());
        config.put("database.password", postgres.password());
        config.put("database.dbname", postgres.database());
        config.put("plugin.name", "pgoutput");
        config.put("slot.name", name);
        config.put("publication.name", name);
        config.put("publication.autocreate.mode", "filtered");
        config.put("table.include.list", "public." + name);
        config.put("topic.prefix", name);
        return config;
    }

    /** The same connector, hosted. */
    Map<String, String> hosted() {
        Map<String, String> own = plain();
        Map<String, String> config = new HashMap<>();
        for (String ofTheWorker : new String[] {"tasks.max", "exactly.once.support"}) {
            config.put(ofTheWorker, own.remove(ofTheWorker));
        }
        config.put(PREFIX + "class", own.remove("connector.class"));
        own.forEach((key, value) -> config.put(PREFIX + key, value));
        config.put("connector.class", GeneratorCheck.CONNECTOR);
        config.put("calibration.directory", servers.calibrationDirectory());
        return config;
    }

    /** Moves the connector to this one and back, stops it, and compares the topic with the table. */
    Findings run() {
        write();
        servers.rest().create(name, plain());
        servers.awaitRunning(name, 1);
        awaitAll();
        move(hosted());
        if (eventsHosted() < 2 * ROWS) {
            throw new IllegalStateException(name + " is hosted and shows " + eventsHosted() + " events");
        }
        move(plain());
        servers.stop(name);
        return findings();
    }

    private void move(Map<String, String> config) {
        write();
        servers.stop(name);
        write();
        servers.rest().put(name, config);
        servers.rest().resume(name);
        servers.awaitRunning(name, 1);
        write();
        awaitAll();
    }

    private void write() {
        try (Connection connection = postgres.connect();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO " + name + " VALUES (?, ?)")) {
            for (int i = 0; i < ROWS; i++) {
                insert.setLong(1, rows);
                insert.setString(2, EventText.of(new Event(RUN, 0, rows, 0)));
                insert.executeUpdate();
                rows++;
            }
        } catch (SQLException e) {
            throw new IllegalStateException("cannot write rows into " + name, e);
        }
    }

    /** Fewer than expected are left to the final check, which counts them. */
    private void awaitAll() {
        boolean ignored = Await.reached(PATIENCE, () -> findings().lost() == 0);
    }

    /** The events of the running task of this connector, or -1. */
    private double eventsHosted() {
        String pattern = "kafka.connect:type=plugins,connector=" + JmxReader.tag(name) + ",*";
        return servers.jmx().number(pattern, "event-total").orElse(-1);
    }

    private Findings findings() {
        Oracle oracle = new Oracle(RUN, rows);
        servers.reader()
                .readCommitted(name + ".public." + name, record -> oracle.saw(EventText.find(record.value()), 0));
        return oracle.findings();
    }
}
