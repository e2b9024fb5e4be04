package io.microbatch.connect.it;

import io.microbatch.connect.convert.TestConverter;
import io.microbatch.connect.it.keyed.KeyedConnector;
import io.microbatch.connect.it.partitioned.PartitionedConnector;
import io.microbatch.connect.it.steady.SteadyConnector;
import io.microbatch.connect.it.stubborn.StubbornConnector;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.Broker;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.OpenTransactions;
import io.microbatch.testbed.PluginArchive;
import io.microbatch.testbed.PostgresServer;
import io.microbatch.testbed.TestbedHome;
import io.microbatch.testbed.TopicReader;
import io.microbatch.testbed.WorkDirectory;
import io.microbatch.testbed.failpoint.FailpointControl;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.connect.storage.Converter;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One real broker, and one real distributed worker per delivery mode with the packaged archive on its plugin path. Each
 * starts at its first use. All integration tests of a run share them.
 */
final class Cluster implements AutoCloseable {

    private static final String OFFSETS_SUFFIX = "-offsets";
    private static final Path EXPORTER_RULES = Path.of("..", "docker", "prometheus", "jmx-exporter.yml");

    static final String CONNECTOR = "io.microbatch.connect.MicrobatchSourceConnector";

    /** The broker looks for expired transactions each second, so that a test of a timeout does not wait for ten. */
    private static final Map<String, String> QUICK_TO_ABORT =
            Map.of("transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000");

    private static final Duration HALT_LIMIT = Duration.ofSeconds(120);

    private static final Map<String, String> DATABASE = Map.of(
            "max_replication_slots", "32",
            // A slot becomes free when its reader releases it, and never because the server has waited long enough.
            "wal_sender_timeout", "0");

    /** The delivery mode of a worker. */
    enum Mode {
        EXACTLY_ONCE,
        AT_LEAST_ONCE;

        /** The part of names of connectors, topics and files. */
        String suffix() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }
    }

    private final WorkDirectory work = WorkDirectory.create("microbatch-it");
    private final TestbedHome home = TestbedHome.locate();
    private final Broker broker;
    private final Map<Mode, ConnectWorker> workers = new EnumMap<>(Mode.class);
    private final Set<String> claimed = ConcurrentHashMap.newKeySet();
    private PostgresServer postgres;

    private Cluster() {
        broker = Broker.start(home, work.path(), QUICK_TO_ABORT);
        PluginArchive.unpack(Path.of(System.getProperty("plugin.archive")), plugins());
        TestPlugin.installUnusableLibraries(plugins());
        TestPlugin.installPackageOf(StubbornConnector.class, plugins());
        TestPlugin.installPackageOf(PartitionedConnector.class, plugins());
        TestPlugin.installPackageOf(KeyedConnector.class, plugins());
        TestPlugin.installPackageOf(SteadyConnector.class, plugins());
        TestPlugin.install(plugins(), TestConverter.class, Converter.class);
    }

    Path plugins() {
        return work.path().resolve("plugins");
    }

    Path directory() {
        return work.path();
    }

    Path calibrationDirectory() {
        return work.path().resolve("calibration");
    }

    String bootstrapServers() {
        return broker.bootstrapServers();
    }

    TopicReader reader() {
        return new TopicReader(broker.bootstrapServers());
    }

    /**
     * Reserves a name for the topics and the connector of one test. All tests of the process have the same broker, so a
     * second test would read the records of the first one.
     *
     * @throws IllegalStateException if the name was claimed before
     */
    void claim(String name) {
        if (!claimed.add(name)) {
            throw new IllegalStateException("The name " + name + " was used before in this process. Its topics have "
                    + "the records of another test. Give each test a name of its own.");
        }
    }

    /** The database of all tests. Each test has its own tables and slots. */
    synchronized PostgresServer postgres() {
        if (postgres == null) {
            postgres = PostgresServer.start(work.path(), DATABASE);
        }
        return postgres;
    }

    synchronized ConnectWorker worker(Mode mode) {
        return workers.computeIfAbsent(
                mode,
                wanted -> worker(wanted, wanted.suffix())
                        .metricsExporter(EXPORTER_RULES)
                        .start());
    }

    /** SIGKILL of the worker of a mode, see {@link #kill(ConnectWorker)}. */
    void kill(Mode mode) {
        kill(worker(mode));
    }

    /**
     * SIGKILL, and an abort of the transactions that the worker leaves open. Without it tests would wait for the
     * transaction timeout. A timeout that is short enough for tests fails tasks when the machine pauses for as long.
     */
    void kill(ConnectWorker worker) {
        worker.kill();
        abortTransactions(worker);
    }

    /** Aborts the transactions of a worker that has ended. It fences any other worker of its group. */
    void abortTransactions(ConnectWorker worker) {
        OpenTransactions.abort(broker.bootstrapServers(), worker.group());
    }

    /**
     * Waits until a failpoint has halted the worker, disarms it, and aborts the transactions that the worker leaves
     * open.
     */
    void awaitHalt(ConnectWorker worker, FailpointControl failpoints) {
        Await.until("the end of the worker", HALT_LIMIT, () -> !worker.isAlive(), worker::logTail);
        failpoints.disarm();
        abortTransactions(worker);
    }

    /** The failpoints for {@link #workerWith}. */
    FailpointControl failpoints(String name) {
        return new FailpointControl(home, work.path().resolve(name + "-failpoints"));
    }

    /** A new exactly-once worker in a group of its own, for a test that breaks it. The test closes it. */
    ConnectWorker workerWith(FailpointControl failpoints, String name) {
        return worker(Mode.EXACTLY_ONCE, name).jvmOption(failpoints.jvmOption()).start();
    }

    /**
     * A new worker in a group that other workers may join by its name, for a test that breaks it. The test closes it.
     */
    ConnectWorker member(Mode mode, String group, int number) {
        ConnectWorker.Builder builder =
                worker(mode, group).name(group + "-" + number).property("group.id", group);
        for (String kind : List.of("config", "status")) {
            builder.property(kind + ".storage.topic", group + "-" + kind);
        }
        // The tasks of a killed member move to another one when its transactions have expired.
        builder.property("producer.transaction.timeout.ms", "30000");
        return builder.start();
    }

    /** A worker of a group of its own, for a test with its own settings. The test starts and closes it. */
    ConnectWorker.Builder worker(Mode mode, String name) {
        return ConnectWorker.builder(home, work.path(), broker.bootstrapServers())
                .name(name)
                .exactlyOnce(mode == Mode.EXACTLY_ONCE)
                .pluginPath(plugins(), home.plugins(), home.hostedPlugins())
                .property("offset.flush.interval.ms", "1000")
                // A task takes at most 3 s for its stop. Connect's default of 5 s would leave a busy machine only 2 s.
                .property("task.shutdown.graceful.timeout.ms", "15000")
                .property("offset.storage.topic", name + OFFSETS_SUFFIX);
    }

    /** The topic in which the worker of a mode stores source offsets. */
    static String offsetsTopic(Mode mode) {
        return mode.suffix() + OFFSETS_SUFFIX;
    }

    ConnectRest rest(Mode mode) {
        return worker(mode).rest();
    }

    @Override
    public void close() {
        workers.values().forEach(ConnectWorker::close);
        if (postgres != null) {
            postgres.close();
        }
        broker.close();
        work.close();
    }

    /** Provides tests with the shared cluster, one per process of tests, and closes it when the process ends. */
    static final class Shared implements ParameterResolver {

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Cluster.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getStore(StoreScope.LAUNCHER_SESSION, ExtensionContext.Namespace.GLOBAL)
                    .computeIfAbsent(Cluster.class, type -> new Cluster(), Cluster.class);
        }
    }
}
