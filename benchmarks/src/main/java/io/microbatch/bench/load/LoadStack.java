package io.microbatch.bench.load;

import io.microbatch.bench.BenchHome;
import io.microbatch.testbed.Broker;
import io.microbatch.testbed.BrokerCluster;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.FaultProxy;
import io.microbatch.testbed.PluginArchive;
import io.microbatch.testbed.TestbedHome;
import io.microbatch.testbed.Topics;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** One broker or three, and a worker for each delivery mode that is asked for. Used by one thread. */
public final class LoadStack implements Closeable {

    /** So that the disk holds the topics of one run and not those of a minute. */
    private static final Map<String, String> DELETE_SOON = Map.of("log.segment.delete.delay.ms", "1000");

    private final TestbedHome home = TestbedHome.locate();
    private final Path work;
    private final List<Broker> brokers;
    private final Closeable cluster;
    private final String bootstrapServers;
    /** Where workers go, which may be a detour. */
    private final String workerServers;

    /** Where several brokers could lead a partition. Null for one. */
    private final Leaders leaders;

    private final List<String> workerOptions;
    private final Map<String, String> workerProperties = new HashMap<>();
    private final Map<Delivery, ConnectWorker> workers = new EnumMap<>(Delivery.class);

    private LoadStack(
            Path work,
            List<Broker> brokers,
            Closeable cluster,
            Leaders leaders,
            String workerServers,
            List<String> workerOptions) {
        this.work = work;
        this.brokers = brokers;
        this.cluster = cluster;
        this.bootstrapServers = brokers.stream().map(Broker::bootstrapServers).collect(Collectors.joining(","));
        this.leaders = leaders;
        this.workerServers = workerServers.isEmpty() ? bootstrapServers : workerServers;
        this.workerOptions = workerOptions;
        PluginArchive.unpack(BenchHome.archive(), plugins());
        BaselinePlugin.install(plugins());
        if (leaders != null) {
            topics().create(leaders.internal(Arrays.stream(Delivery.values())
                    .map(LoadStack::offsetsTopic)
                    .toList()));
        }
    }

    /** Starts one broker, or three of which each leads something else. A worker starts when it is first asked for. */
    public static LoadStack start(Path work, int brokers) {
        return start(work, brokers, Leaders.APART, Map.of());
    }

    /** Starts one broker with these properties. */
    public static LoadStack start(Path work, Map<String, String> brokerProperties) {
        return alone(Broker.start(TestbedHome.locate(), work, withDefaults(brokerProperties)), work, List.of());
    }

    /** Starts one broker, or three with these leaders. Every broker has these properties. */
    public static LoadStack start(Path work, int brokers, Leaders leaders, Map<String, String> brokerProperties) {
        if (brokers == 1) {
            return start(work, brokerProperties);
        }
        BrokerCluster three =
                BrokerCluster.start(TestbedHome.locate(), work, List.of(), withDefaults(brokerProperties));
        return new LoadStack(work, three.nodes(), three, leaders, "", List.of());
    }

    /** Starts one broker. The JVMs of workers get these options. */
    public static LoadStack startWith(List<String> workerOptions, Path work) {
        return alone(Broker.start(TestbedHome.locate(), work, DELETE_SOON), work, workerOptions);
    }

    private static LoadStack alone(Broker broker, Path work, List<String> workerOptions) {
        return new LoadStack(work, List.of(broker), broker, null, "", workerOptions);
    }

    /** Starts a broker that workers reach through the proxy, and all others directly. Closes the proxy, too. */
    public static LoadStack startBehind(FaultProxy proxy, Path work) {
        return startBehind(proxy, work, Map.of());
    }

    /** The same with properties of the broker. */
    public static LoadStack startBehind(FaultProxy proxy, Path work, Map<String, String> brokerProperties) {
        Broker broker = Broker.startBehind(proxy, TestbedHome.locate(), work, withDefaults(brokerProperties));
        Closeable both = () -> {
            broker.close();
            proxy.close();
        };
        return new LoadStack(work, List.of(broker), both, null, proxy.address(), List.of());
    }

    private static Map<String, String> withDefaults(Map<String, String> brokerProperties) {
        Map<String, String> properties = new HashMap<>(DELETE_SOON);
        properties.putAll(brokerProperties);
        return properties;
    }

    private static String offsetsTopic(Delivery delivery) {
        return "offsets-" + delivery.text();
    }

    private Path plugins() {
        return work.resolve("plugins");
    }

    /** The worker of this mode. It stays until another one is asked for, since two would share the processors. */
    public ConnectWorker worker(Delivery delivery) {
        if (!workers.containsKey(delivery)) {
            closeWorkers();
            String replicas = Integer.toString(brokers.size());
            ConnectWorker.Builder worker = ConnectWorker.builder(home, work, workerServers)
                    .exactlyOnce(delivery == Delivery.EXACTLY_ONCE)
                    .pluginPath(plugins(), home.plugins())
                    .property("config.storage.replication.factor", replicas)
                    .property("offset.storage.replication.factor", replicas)
                    .property("status.storage.replication.factor", replicas)
                    .measuredJvm();
            if (leaders != null) {
                worker.property("offset.storage.topic", offsetsTopic(delivery));
            }
            workerOptions.forEach(worker::jvmOption);
            workerProperties.forEach(worker::property);
            workers.put(delivery, worker.start());
        }
        return workers.get(delivery);
    }

    /** Workers that start from now on also have an older build of this plugin, see {@link OlderPlugin}. */
    public void addOlder(Path archive) {
        OlderPlugin.install(archive, plugins());
    }

    /** Workers that start from now on have these properties. */
    public void giveWorkers(Map<String, String> properties) {
        workerProperties.putAll(properties);
    }

    /** For clients. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** The processes that are the brokers. */
    public List<Long> brokerPids() {
        return brokers.stream().map(Broker::pid).toList();
    }

    /** Stops each broker in turn and starts it with the same data. Workers stay, and connect again. */
    public void restartBrokers() {
        brokers.forEach(Broker::restart);
    }

    /** Where brokers, workers and connectors have their files. */
    public Path directory() {
        return work;
    }

    /** Where the calibration files are. */
    public Path calibration() {
        return work.resolve("calibration");
    }

    /** Creates topics for a run. */
    public void create(List<String> names, int partitions) {
        if (leaders == null) {
            topics().create(names, partitions);
        } else {
            topics().create(names.stream()
                    .map(name -> leaders.topic(name, partitions))
                    .toList());
        }
    }

    /** Creates and deletes topics, so that the disk holds those of one run at a time. */
    public Topics topics() {
        return new Topics(bootstrapServers);
    }

    private void closeWorkers() {
        new ArrayList<>(workers.values()).forEach(ConnectWorker::close);
        workers.clear();
    }

    @Override
    public void close() throws IOException {
        closeWorkers();
        cluster.close();
    }
}
