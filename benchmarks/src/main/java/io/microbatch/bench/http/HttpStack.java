package io.microbatch.bench.http;

import io.microbatch.bench.BenchHome;
import io.microbatch.bench.http.peer.IngestServer;
import io.microbatch.bench.load.Delivery;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.Broker;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.JavaServer;
import io.microbatch.testbed.PluginArchive;
import io.microbatch.testbed.Ports;
import io.microbatch.testbed.TestbedHome;
import io.microbatch.testbed.Topics;
import java.io.Closeable;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * The brokers and the processes of all contenders. A process starts when its contender has its first turn and stays:
 * its code is compiled then, and while others have their turn it has nothing to do. Used by one thread.
 */
final class HttpStack implements Closeable {

    private static final Duration READY_LIMIT = Duration.ofSeconds(60);
    private static final String HOST = "127.0.0.1";
    private static final int ASK_LIMIT_MS = 1_000;

    /** Of every process that is measured. */
    private static final List<String> JVM = List.of(
            "-Xms1g",
            "-Xmx1g",
            "-XX:+AlwaysPreTouch",
            "-XX:+UseG1GC",
            "-XX:MaxGCPauseMillis=20",
            "-XX:InitiatingHeapOccupancyPercent=35",
            "-XX:+ExplicitGCInvokesConcurrent");

    private final TestbedHome home = TestbedHome.locate();
    private final Path work;
    private final Peer peer;
    private final List<String> workerOptions;
    private final Map<String, String> connectorSettings;
    private final String bootstrapServers;
    private final List<Long> brokerPids = new ArrayList<>();
    private final List<Closeable> processes = new ArrayList<>();
    private final Map<Delivery, ConnectWorker> workers = new EnumMap<>(Delivery.class);
    private final Map<HttpContender, JavaServer> servers = new EnumMap<>(HttpContender.class);
    private boolean isPluginThere;

    /**
     * A server that the user has started.
     *
     * @param server where it is; null for none
     * @param pid its process; -1 where its CPU is not measured
     * @param bootstrapServers the brokers that it writes to; empty for a broker of the bench's own
     */
    record Peer(URI server, long pid, String bootstrapServers) {}

    /**
     * A contender that takes requests for a topic.
     *
     * @param pid its process; -1 if it is not known
     */
    record Running(URI server, long pid, Runnable stop) implements AutoCloseable {

        /** Returns when it takes no more requests and everything that it has committed can be read. */
        @Override
        public void close() {
            stop.run();
        }
    }

    /**
     * Starts a broker, unless the peer has brokers. The JVMs of workers get these options in addition, and each
     * connector these settings.
     */
    HttpStack(Path work, Peer peer, List<String> workerOptions, Map<String, String> connectorSettings) {
        this.work = work;
        this.workerOptions = workerOptions;
        this.connectorSettings = connectorSettings;
        this.peer = peer;
        if (peer.bootstrapServers().isEmpty()) {
            Broker broker = Broker.start(home, work, Map.of("log.segment.delete.delay.ms", "1000"));
            processes.add(broker);
            brokerPids.add(broker.pid());
            bootstrapServers = broker.bootstrapServers();
        } else {
            bootstrapServers = peer.bootstrapServers();
        }
    }

    String bootstrapServers() {
        return bootstrapServers;
    }

    /** The processes of the brokers. Empty where they are not the bench's own. */
    List<Long> brokerPids() {
        return brokerPids;
    }

    Topics topics() {
        return new Topics(bootstrapServers);
    }

    /** Starts what is missing, and returns when the contender takes requests for the topic. */
    Running begin(HttpContender contender, Cell cell, String topic) {
        if (contender.isOurs()) {
            return connector(contender, cell, topic);
        }
        if (contender == HttpContender.PEER) {
            return new Running(peer.server(), peer.pid(), () -> {});
        }
        JavaServer server = servers.get(contender);
        if (server == null) {
            server = serve(contender);
        }
        URI uri = URI.create("http://" + HOST + ":" + server.announced());
        return new Running(uri, server.pid(), () -> {});
    }

    private JavaServer serve(HttpContender contender) {
        List<String> arguments = new ArrayList<>();
        arguments.add(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG + "=" + bootstrapServers);
        contender.settings().forEach((key, value) -> arguments.add(key + "=" + value));
        JavaServer server = JavaServer.start(
                work, contender.text(), JVM, IngestServer.class.getName(), arguments, IngestServer.READY);
        servers.put(contender, server);
        processes.add(server);
        return server;
    }

    private ConnectWorker worker(Delivery delivery) {
        if (!isPluginThere) {
            PluginArchive.unpack(BenchHome.archive(), work.resolve("plugins"));
            isPluginThere = true;
        }
        ConnectWorker.Builder builder = ConnectWorker.builder(home, work, bootstrapServers)
                .name("worker-" + delivery.key())
                .exactlyOnce(delivery == Delivery.EXACTLY_ONCE)
                .pluginPath(work.resolve("plugins"));
        JVM.forEach(builder::jvmOption);
        workerOptions.forEach(builder::jvmOption);
        ConnectWorker worker = builder.start();
        processes.add(worker);
        return worker;
    }

    private Running connector(HttpContender contender, Cell cell, String topic) {
        ConnectWorker worker = workers.computeIfAbsent(contender.delivery(), this::worker);
        // The same in each turn of a cell. A turn learns one window at most: a task does not in its first ten seconds.
        String name = contender.text() + "-" + cell.text();
        int port = Ports.free();
        Map<String, String> config = new LinkedHashMap<>(contender.settings());
        config.putAll(cell.settings());
        config.putAll(connectorSettings);
        config.put("upstream.http.topics", topic);
        config.put("upstream.http.port", Integer.toString(port));
        config.put(
                "calibration.directory",
                work.resolve("calibration").resolve(name).toString());
        URI uri = URI.create("http://" + HOST + ":" + port);
        worker.rest().create(name, config);
        Runnable stop = () -> remove(worker.rest(), name);
        boolean[] failed = new boolean[1];
        boolean ready = Await.reached(READY_LIMIT, () -> {
            failed[0] = worker.rest().status(name).hasFailed();
            return failed[0] || isReady(uri);
        });
        if (!ready || failed[0]) {
            String status = worker.rest().status(name).toString();
            stop.run();
            throw new IllegalStateException(name + " is not ready: " + status + "\n" + worker.logTail());
        }
        return new Running(uri, worker.pid(), stop);
    }

    private static void remove(ConnectRest rest, String name) {
        rest.stop(name);
        rest.awaitState(name, "STOPPED");
        rest.resetOffsets(name);
        rest.delete(name);
    }

    private static boolean isReady(URI server) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) server.resolve("/health/ready").toURL().openConnection();
            connection.setConnectTimeout(ASK_LIMIT_MS);
            connection.setReadTimeout(ASK_LIMIT_MS);
            connection.setRequestProperty("Connection", "close");
            return connection.getResponseCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        for (int last = processes.size() - 1; last >= 0; last--) {
            processes.get(last).close();
        }
    }
}
