package io.microbatch.testbed;

import java.io.Closeable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;

/**
 * Three Kafka nodes, each broker and KRaft controller, that replicate every topic three times and want two replicas of
 * every write: one may fail. Used by one thread at a time.
 */
public final class BrokerCluster implements Closeable {

    /** How many nodes there are, and how often a topic is replicated. */
    public static final int NODES = 3;

    private final List<Broker> nodes;

    private BrokerCluster(List<Broker> nodes) {
        this.nodes = nodes;
    }

    /**
     * Formats new nodes under {@code workDir} and starts them. Returns when a client can reach each.
     *
     * @param proxies one for each node, for clients that are to come through it; or none
     * @param overrides broker properties that win over the defaults
     */
    public static BrokerCluster start(
            TestbedHome home, Path workDir, List<FaultProxy> proxies, Map<String, String> overrides) {
        List<Integer> controllers =
                IntStream.range(0, NODES).mapToObj(node -> Ports.free()).toList();
        String voters = IntStream.range(0, NODES)
                .mapToObj(node -> (node + 1) + "@" + Ports.HOST + ":" + controllers.get(node))
                .collect(Collectors.joining(","));
        Uuid clusterId = Uuid.randomUuid();
        List<Broker> nodes = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            int port = Ports.free();
            Map<String, String> properties = replicated();
            properties.putAll(overrides);
            properties.put("node.id", Integer.toString(node + 1));
            properties.put("controller.quorum.voters", voters);
            if (proxies.isEmpty()) {
                String here = "://" + Ports.HOST + ":";
                properties.put("listeners", "PLAINTEXT" + here + port + ",CONTROLLER" + here + controllers.get(node));
            } else {
                Broker.putBehind(properties, proxies.get(node), port, controllers.get(node));
            }
            Path directory = JavaCommand.directory(workDir, "broker-" + (node + 1));
            nodes.add(Broker.prepare(home, directory, clusterId, port, properties));
        }
        // None of them answers before two of them run.
        List<CompletableFuture<Void>> starting = nodes.stream()
                .map(node -> CompletableFuture.runAsync(node::restart, runnable -> new Thread(runnable).start()))
                .toList();
        starting.forEach(CompletableFuture::join);
        return new BrokerCluster(List.copyOf(nodes));
    }

    private static Map<String, String> replicated() {
        Map<String, String> properties = new HashMap<>();
        for (String topic : List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
            properties.put(topic + ".replication.factor", Integer.toString(NODES));
        }
        properties.put("default.replication.factor", Integer.toString(NODES));
        properties.put("min.insync.replicas", "2");
        properties.put("transaction.state.log.min.isr", "2");
        properties.put("share.coordinator.state.topic.min.isr", "2");
        return properties;
    }

    /** All nodes' addresses, for clients that do not go through a proxy. */
    public String bootstrapServers() {
        return nodes.stream().map(Broker::bootstrapServers).collect(Collectors.joining(","));
    }

    /** The nodes. */
    public List<Broker> nodes() {
        return nodes;
    }

    @Override
    public void close() {
        // At once: a node that leaves in order looks for a majority that is leaving too.
        List<CompletableFuture<Void>> closing = nodes.stream()
                .map(node -> CompletableFuture.runAsync(node::close, runnable -> new Thread(runnable).start()))
                .toList();
        closing.forEach(CompletableFuture::join);
    }
}
