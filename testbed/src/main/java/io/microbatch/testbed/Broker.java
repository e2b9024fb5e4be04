package io.microbatch.testbed;

import java.io.Closeable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Uuid;

/** A single Kafka node, broker and KRaft controller in one server. Used by one thread at a time. */
public final class Broker implements Closeable {

    private static final Duration START_LIMIT = Duration.ofSeconds(180);
    private static final Duration STOP_GRACE = Duration.ofSeconds(10);
    private static final List<String> SERVER = List.of("-Xms256m", "-Xmx512m", "-XX:MaxGCPauseMillis=20");

    private final String bootstrapServers;
    private final Server server;

    private final JmxReader jmx;

    private Broker(String bootstrapServers, Server server, int jmxPort) {
        this.bootstrapServers = bootstrapServers;
        this.server = server;
        this.jmx = new JmxReader(jmxPort);
    }

    /** Formats a new node under {@code workDir} and starts it. Returns when a client can reach it. */
    public static Broker start(TestbedHome home, Path workDir) {
        return start(home, workDir, Map.of());
    }

    /**
     * As {@link #start(TestbedHome, Path, Map)}, with a second listener that advertises the proxy's address, so that
     * its clients always use the proxy. {@link #bootstrapServers} is the direct address.
     */
    public static Broker startBehind(FaultProxy proxy, TestbedHome home, Path workDir, Map<String, String> overrides) {
        int port = Ports.free();
        int controllerPort = Ports.free();
        Map<String, String> properties = new HashMap<>(overrides);
        properties.put("controller.quorum.voters", "1@" + Ports.HOST + ":" + controllerPort);
        putBehind(properties, proxy, port, controllerPort);
        return start(home, workDir, port, properties, List.of());
    }

    /** Configures the listeners of a node whose clients may use the proxy. */
    static void putBehind(Map<String, String> properties, FaultProxy proxy, int port, int controllerPort) {
        int behindPort = Ports.free();
        String direct = "PLAINTEXT://" + Ports.HOST + ":" + port;
        properties.put(
                "listeners",
                direct + ",CONTROLLER://" + Ports.HOST + ":" + controllerPort + ",PROXIED://" + Ports.HOST + ":"
                        + behindPort);
        properties.put("advertised.listeners", direct + ",PROXIED://" + proxy.address());
        properties.put("listener.security.protocol.map", "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,PROXIED:PLAINTEXT");
        properties.put("inter.broker.listener.name", "PLAINTEXT");
        proxy.forwardTo(behindPort);
    }

    /** As {@link #start(TestbedHome, Path)}, with broker properties that override the defaults. */
    public static Broker start(TestbedHome home, Path workDir, Map<String, String> overrides) {
        return start(home, workDir, overrides, List.of());
    }

    /** The same with options of the broker's JVM, after the defaults ({@code -Xmx512m}), so that they override them. */
    public static Broker start(TestbedHome home, Path workDir, Map<String, String> overrides, List<String> jvmOptions) {
        return start(home, workDir, Ports.free(), overrides, jvmOptions);
    }

    private static Broker start(
            TestbedHome home, Path workDir, int port, Map<String, String> overrides, List<String> jvmOptions) {
        Path directory = JavaCommand.directory(workDir, "broker");
        Broker broker = prepare(home, directory, Uuid.randomUuid(), port, overrides, jvmOptions);
        broker.restart();
        return broker;
    }

    /** A formatted node that does not run yet. */
    static Broker prepare(
            TestbedHome home,
            Path directory,
            Uuid clusterId,
            int port,
            Map<String, String> overrides,
            List<String> jvmOptions) {
        Map<String, String> properties = defaults(directory, port);
        properties.putAll(overrides);
        int jmxPort = Ports.free();
        List<String> options = JavaCommand.withCommon(SERVER);
        options.addAll(jvmOptions);
        options.addAll(JmxReader.serverOptions(jmxPort));
        Server server = Servers.chosen().kafka(home, directory, clusterId, properties, options);
        return new Broker(Ports.HOST + ":" + port, server, jmxPort);
    }

    private static Map<String, String> defaults(Path directory, int port) {
        int controllerPort = Ports.free();
        Map<String, String> properties = new HashMap<>();
        properties.put("process.roles", "broker,controller");
        properties.put("node.id", "1");
        properties.put("controller.quorum.voters", "1@" + Ports.HOST + ":" + controllerPort);
        properties.put("controller.listener.names", "CONTROLLER");
        properties.put("listener.security.protocol.map", "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT");
        properties.put(
                "listeners",
                "PLAINTEXT://" + Ports.HOST + ":" + port + ",CONTROLLER://" + Ports.HOST + ":" + controllerPort);
        properties.put("log.dirs", directory.resolve("data").toString());
        properties.put("auto.create.topics.enable", "true");
        properties.put("offsets.topic.replication.factor", "1");
        properties.put("offsets.topic.num.partitions", "4");
        properties.put("transaction.state.log.replication.factor", "1");
        properties.put("transaction.state.log.min.isr", "1");
        properties.put("transaction.state.log.num.partitions", "4");
        properties.put("share.coordinator.state.topic.replication.factor", "1");
        properties.put("share.coordinator.state.topic.min.isr", "1");
        properties.put("group.initial.rebalance.delay.ms", "0");
        properties.put("log.cleaner.dedupe.buffer.size", "8388608");
        properties.put("log.segment.bytes", "67108864");
        properties.put("log.index.size.max.bytes", "1048576");
        return properties;
    }

    /** {@code 127.0.0.1:port}. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** The metrics of the broker. */
    public JmxReader jmx() {
        return jmx;
    }

    /** The process id. */
    public long pid() {
        return server.pid();
    }

    /** Whether the process runs. */
    public boolean isAlive() {
        return server.isAlive();
    }

    /** The last lines of the broker's log, for a failure message. */
    public String logTail() {
        return server.tail();
    }

    /** SIGKILL: no clean shutdown, no flush. */
    public void kill() {
        server.kill();
    }

    /** SIGSTOP: like a long pause of the machine. Call {@link #thaw} before a clean stop. */
    public void freeze() {
        server.freeze();
    }

    /** SIGCONT. */
    public void thaw() {
        server.thaw();
    }

    /** Stops the node if it runs and starts it with the same identity, port and data. */
    public void restart() {
        server.stop(STOP_GRACE);
        server.start(START_LIMIT, this::answers);
    }

    @Override
    public void close() {
        jmx.close();
        server.remove(STOP_GRACE);
    }

    private boolean answers() {
        Properties client = new Properties();
        client.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        client.put(AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, "100");
        try (Admin admin = Admin.create(client)) {
            return !admin.describeCluster().nodes().get(2, TimeUnit.SECONDS).isEmpty();
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
