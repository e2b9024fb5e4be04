package io.microbatch.bench.outbox;

import io.microbatch.bench.BenchHome;
import io.microbatch.bench.load.CpuClock;
import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.outbox.peer.RelayServer;
import io.microbatch.testbed.Broker;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.JavaServer;
import io.microbatch.testbed.PluginArchive;
import io.microbatch.testbed.PostgresServer;
import io.microbatch.testbed.TestbedHome;
import io.microbatch.testbed.Topics;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The database, the broker, and the processes of the contenders: a worker for each delivery, and one process for all
 * relays. They start when they are first needed, and stay. Used by one thread.
 */
final class OutboxStack implements Closeable {

    /** The heap of the relays. A batch of them has a hundred rows. */
    private static final List<String> RELAY_JVM =
            List.of("-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch", "-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20");

    private final TestbedHome home = TestbedHome.locate();
    private final Path work;
    private final boolean measured;
    private final Deque<Closeable> started = new ArrayDeque<>();
    private final Map<Delivery, ConnectWorker> workers = new EnumMap<>(Delivery.class);
    private final PostgresServer postgres;
    private final Broker broker;
    private JavaServer relays;
    private boolean isPluginThere;

    /**
     * Starts the database and the broker.
     *
     * @param measured whether the workers are to have the memory of ones that are measured
     */
    OutboxStack(Path work, boolean measured) {
        this.work = work;
        this.measured = measured;
        broker = Broker.start(home, work, Map.of("log.segment.delete.delay.ms", "1000"));
        started.push(broker);
        postgres = PostgresServer.start(work);
        started.push(postgres);
        OutboxTable.create(postgres);
    }

    String bootstrapServers() {
        return broker.bootstrapServers();
    }

    PostgresServer postgres() {
        return postgres;
    }

    Topics topics() {
        return new Topics(bootstrapServers());
    }

    /** A contender that does not carry anything yet. Its process runs. */
    Carrier carrier(OutboxContender contender, int turn) {
        if (contender.plan().isPresent()) {
            return new RelayCarrier(relays(), contender.plan().get());
        }
        ConnectWorker worker = workers.computeIfAbsent(contender.delivery(), this::worker);
        return new ConnectorCarrier(contender, turn, worker, postgres, work);
    }

    private JavaServer relays() {
        if (relays == null) {
            relays = JavaServer.start(
                    work,
                    "relays",
                    RELAY_JVM,
                    RelayServer.class.getName(),
                    List.of(bootstrapServers(), postgres.jdbcUrl(), postgres.user(), postgres.password()),
                    RelayServer.READY);
            started.push(relays);
        }
        return relays;
    }

    private ConnectWorker worker(Delivery delivery) {
        Path plugins = work.resolve("plugins");
        if (!isPluginThere) {
            PluginArchive.unpack(BenchHome.archive(), plugins);
            isPluginThere = true;
        }
        ConnectWorker.Builder builder = ConnectWorker.builder(home, work, bootstrapServers())
                .name("worker-" + delivery.key())
                .exactlyOnce(delivery == Delivery.EXACTLY_ONCE)
                .pluginPath(home.plugins(), plugins);
        ConnectWorker worker = (measured ? builder.measuredJvm() : builder.jvmOption("-Xmx768m")).start();
        started.push(worker);
        return worker;
    }

    /** The CPU time of the database with its sessions, in seconds. */
    double postgresCpuSec() {
        return CpuClock.secondsOfTree(postgres.pid());
    }

    /** The CPU time of the broker, in seconds. */
    double brokerCpuSec() {
        return CpuClock.seconds(broker.pid());
    }

    @Override
    public void close() throws IOException {
        while (!started.isEmpty()) {
            started.pop().close();
        }
    }
}
