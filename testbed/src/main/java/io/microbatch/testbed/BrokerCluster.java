package io.microbatch.testbed;

import java.io.Closeable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;

/**
 * Three Kafka nodes that replicate every topic three times and require two replicas of every write, so that one node
 * may fail. Each node is a broker and a KRaft controller. Used by one thread at a time.
 */
public final class BrokerCluster implements Closeable {

    /** The number of nodes, and the replication factor of topics. */
    public static final int NODES = 3;

    private final List<Broker> nodes;

    private BrokerCluster(List<Broker> nodes) {
        this.nodes = nodes;
    }

    /**
     * Formats new nodes under {@code workDir}, starts them, and returns when a client can reach each of them.
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
            nodes.add(Broker.prepare(home, directory, clusterId, port, properties, List.of()));
        }
        restartAll(nodes);
        return new BrokerCluster(List.copyOf(nodes));
    }

    /**
     * Stops these nodes if they run, starts them all with the same identities, ports and data, and returns when a
     * client can reach each of them. A node answers when a majority of the controllers runs, and ends with an error
     * when it finds none for a minute. So nodes without which there is no majority cannot be started one by one.
     *
     * @throws java.util.concurrent.CompletionException when a node does not start; all have then been tried
     */
    public static void restartAll(List<Broker> nodes) {
        atTheSameTime(nodes, Broker::restart);
    }

    private static void atTheSameTime(List<Broker> nodes, Consumer<Broker> action) {
        List<CompletableFuture<Void>> acting = nodes.stream()
                .map(node ->
                        CompletableFuture.runAsync(() -> action.accept(node), runnable -> new Thread(runnable).start()))
                .toList();
        CompletableFuture.allOf(acting.toArray(CompletableFuture[]::new)).join();
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

    /** The addresses of all nodes, for clients that do not use a proxy. */
    public String bootstrapServers() {
        return nodes.stream().map(Broker::bootstrapServers).collect(Collectors.joining(","));
    }

    /** The nodes. */
    public List<Broker> nodes() {
        return nodes;
    }

    @Override
    public void close() {
        // One after the other, the last would look for a majority that has left.
        atTheSameTime(nodes, Broker::close);
    }
}
