package io.microbatch.bench.cdc;

import io.microbatch.testbed.Await;
import io.microbatch.testbed.Broker;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.ConnectorStatus;
import io.microbatch.testbed.PluginArchive;
import io.microbatch.testbed.PostgresServer;
import io.microbatch.testbed.TestbedHome;
import io.microbatch.testbed.Topics;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.NewTopic;

/** The database, the broker and the worker, and one connector at a time between them. Used by one thread. */
final class CdcStack implements AutoCloseable {

    static final int PARTITION_COUNT = 3;

    private static final Duration STREAMING_LIMIT = Duration.ofSeconds(60);

    private final PrintWriter out;
    private final boolean measured;
    private final Deque<Closeable> started = new ArrayDeque<>();
    private PostgresServer postgres;
    private Broker broker;
    private ConnectWorker worker;
    private ConnectorConfig connector;
    private TestbedHome home;
    private Path directory;

    /** By the names of their connectors, so that each is warmed up by its own turns. */
    private final Map<String, EngineServer> engines = new HashMap<>();

    /** Null while the connector runs on the worker. */
    private EngineServer engine;

    /**
     * Nothing runs yet.
     *
     * @param measured whether the worker is to have the memory of one that is measured
     */
    CdcStack(PrintWriter out, boolean measured) {
        this.out = out;
        this.measured = measured;
    }

    /**
     * Starts the servers. Whatever was started when it fails is stopped by {@link #close()}.
     *
     * @param archive our packaged plugin, or nothing when no connector is ours
     */
    void start(Path work, Optional<Path> archive) {
        home = TestbedHome.locate();
        directory = work;
        List<Path> plugins = new ArrayList<>(List.of(home.plugins()));
        archive.ifPresent(zip -> {
            Path unpacked = work.resolve("plugins");
            PluginArchive.unpack(zip, unpacked);
            plugins.add(unpacked);
        });
        postgres = started("PostgreSQL, wal_level=logical, fsync=on", () -> PostgresServer.start(work));
        EventTable.create(postgres);
        broker = started("Kafka broker, KRaft", () -> Broker.start(home, work));
        ConnectWorker.Builder builder = ConnectWorker.builder(home, work, broker.bootstrapServers())
                .exactlyOnce(true)
                .pluginPath(plugins.toArray(Path[]::new));
        ConnectWorker.Builder sized = measured ? builder.measuredJvm() : builder.jvmOption("-Xmx768m");
        worker = started("Connect worker, exactly.once.source.support=enabled", sized::start);
    }

    /** Starts a connector, in place of the last one, and returns when it reads the database's log. */
    void startConnector(ConnectorConfig example) {
        connector = example.readingFrom(postgres);
        // Several partitions, so that "in order per key" says more than "in order".
        new Topics(broker.bootstrapServers()).create(List.of(topic(topic())));
        if (connector.isForEngine()) {
            engine = engines.computeIfAbsent(connector.name(), this::newEngine);
            engine.configure(connector);
            engine.start();
        } else {
            worker.rest().create(connector.name(), connector.config());
        }
        awaitStreaming();
        out.println("running " + connector.config().get("connector.class") + (engine == null ? "" : " in the engine"));
        out.flush();
    }

    /** A topic as the stack creates it: its records tell when Kafka got them. */
    static NewTopic topic(String name) {
        return Topics.topic(name, PARTITION_COUNT, false);
    }

    private EngineServer newEngine(String name) {
        return started(
                "Debezium's engine, " + name,
                () -> new EngineServer(home, directory.resolve(name), broker.bootstrapServers()));
    }

    private void awaitStreaming() {
        if (engine == null) {
            worker.rest().awaitRunning(connector.name(), 1);
        }
        Await.until(
                "the connector reads the database's log",
                STREAMING_LIMIT,
                () -> {
                    requireRunning();
                    return ReplicationSlots.isStreamed(postgres);
                },
                worker::logTail);
    }

    PostgresServer postgres() {
        return postgres;
    }

    String bootstrapServers() {
        return broker.bootstrapServers();
    }

    String topic() {
        return connector.topic();
    }

    PipelineMetrics metrics() {
        return new PipelineMetrics(worker.jmx(), broker.jmx(), connector.name());
    }

    /** Fails with the end of the log when a process has ended, with the stack trace when the connector has failed. */
    void requireRunning() {
        if (!broker.isAlive()) {
            throw new IllegalStateException("the broker has ended. " + broker.logTail());
        }
        if (!worker.isAlive()) {
            throw new IllegalStateException("the worker has ended. " + worker.logTail());
        }
        if (engine != null) {
            engine.requireRunning();
            return;
        }
        ConnectorStatus status = worker.rest().status(connector.name());
        if (status.hasFailed()) {
            throw new IllegalStateException("the connector has failed: " + status.failure());
        }
    }

    /** Stops the connector as an operator does, so that nothing follows and no transaction stays open. */
    void stopConnector() {
        if (engine != null) {
            engine.stop();
            return;
        }
        worker.rest().stop(connector.name());
        worker.rest().awaitState(connector.name(), "STOPPED");
    }

    /** The opposite of {@link #stopConnector}. */
    void resumeConnector() {
        if (engine != null) {
            engine.start();
        } else {
            worker.rest().resume(connector.name());
        }
        awaitStreaming();
    }

    /** Removes the stopped connector and its replication slot, so that the database keeps no log for it. */
    void removeConnector() {
        if (engine != null) {
            engine = null;
        } else {
            worker.rest().resetOffsets(connector.name());
            worker.rest().delete(connector.name());
        }
        Await.until(
                "the replication slot is free",
                STREAMING_LIMIT,
                () -> !ReplicationSlots.isStreamed(postgres),
                worker::logTail);
        ReplicationSlots.drop(postgres);
    }

    /** The process that runs the connector: the worker's or the engine's. */
    long workerPid() {
        return engine == null ? worker.pid() : engine.pid();
    }

    /** The broker's process. */
    long brokerPid() {
        return broker.pid();
    }

    @Override
    public void close() throws IOException {
        while (!started.isEmpty()) {
            started.pop().close();
        }
    }

    private <T extends Closeable> T started(String what, Supplier<T> start) {
        long beganNanos = System.nanoTime();
        T server = start.get();
        started.push(server);
        out.printf(Locale.ROOT, "started %s in %.1f s%n", what, (System.nanoTime() - beganNanos) / 1e9);
        out.flush();
        return server;
    }
}
