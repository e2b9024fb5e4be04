package io.microbatch.bench.outbox;

import io.microbatch.bench.cdc.ReplicationSlots;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.ConnectorStatus;
import io.microbatch.testbed.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** A connector on a worker. */
final class ConnectorCarrier implements Carrier {

    private static final Duration STREAMING_LIMIT = Duration.ofSeconds(60);

    private final OutboxContender contender;
    private final ConnectWorker worker;
    private final PostgresServer postgres;
    private final Map<String, String> config;
    private boolean created;

    ConnectorCarrier(OutboxContender contender, int turn, ConnectWorker worker, PostgresServer postgres, Path work) {
        this.contender = contender;
        this.worker = worker;
        this.postgres = postgres;
        this.config = new HashMap<>(contender.settings());
        config.putAll(contender.isOurs() ? outbox() : debezium("turn_" + turn));
        if (contender.kind() != OutboxContender.Kind.DEBEZIUM) {
            // The same in each turn, so that it keeps what it has learned.
            config.put("calibration.directory", work.resolve("calibration").toString());
        }
    }

    private Map<String, String> outbox() {
        return Map.of(
                "upstream.outbox.jdbc.url", postgres.jdbcUrl(),
                "upstream.outbox.user", postgres.user(),
                "upstream.outbox.password", postgres.password());
    }

    private Map<String, String> debezium(String run) {
        String prefix = contender.prefix();
        return Map.of(
                prefix + "database.hostname", postgres.host(),
                prefix + "database.port", Integer.toString(postgres.port()),
                prefix + "database.dbname", postgres.database(),
                prefix + "database.user", postgres.user(),
                prefix + "database.password", postgres.password(),
                prefix + "slot.name", run,
                prefix + "publication.name", run,
                prefix + "topic.prefix", run);
    }

    private String name() {
        return contender.text();
    }

    @Override
    public void start() {
        if (created) {
            worker.rest().resume(name());
        } else {
            worker.rest().create(name(), config);
            created = true;
        }
        worker.rest().awaitRunning(name(), contender.tasks());
        if (contender.isStreaming()) {
            Await.until(
                    "the connector reads the database's log",
                    STREAMING_LIMIT,
                    () -> {
                        requireRunning();
                        return ReplicationSlots.isStreamed(postgres);
                    },
                    worker::logTail);
        }
    }

    @Override
    public void stop() {
        worker.rest().stop(name());
        worker.rest().awaitState(name(), "STOPPED");
    }

    @Override
    public void remove() {
        worker.rest().resetOffsets(name());
        worker.rest().delete(name());
        if (contender.isStreaming()) {
            Await.until(
                    "the replication slot is free",
                    STREAMING_LIMIT,
                    () -> !ReplicationSlots.isStreamed(postgres),
                    worker::logTail);
            ReplicationSlots.drop(postgres);
        }
    }

    @Override
    public void requireRunning() {
        if (!worker.isAlive()) {
            throw new IllegalStateException("the worker has ended. " + worker.logTail());
        }
        ConnectorStatus status = worker.rest().status(name());
        if (status.hasFailed()) {
            throw new IllegalStateException(name() + " has failed: " + status.failure());
        }
    }

    @Override
    public long pid() {
        return worker.pid();
    }
}
