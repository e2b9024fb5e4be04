package io.microbatch.bench.load;

import io.microbatch.bench.BenchHome;
import io.microbatch.testbed.Broker;
import io.microbatch.testbed.BrokerCluster;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.FaultProxy;
import io.microbatch.testbed.PluginArchive;
import io.microbatch.testbed.TestbedHome;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

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

    private final List<String> workerOptions;

    private final Map<Delivery, ConnectWorker> workers = new EnumMap<>(Delivery.class);

    private LoadStack(
            Path work,
            List<Broker> brokers,
            String bootstrapServers,
            String workerServers,
            List<String> workerOptions,
            Closeable cluster) {
        this.work = work;
        this.brokers = brokers;
        this.bootstrapServers = bootstrapServers;
        this.workerServers = workerServers;
        this.workerOptions = workerOptions;
        this.cluster = cluster;
        PluginArchive.unpack(BenchHome.archive(), plugins());
        BaselinePlugin.install(plugins());
    }

    /** Starts the brokers; a worker starts when it is first asked for. */
    public static LoadStack start(Path work, int brokers) {
        TestbedHome home = TestbedHome.locate();
        if (brokers == 1) {
            Broker broker = Broker.start(home, work, DELETE_SOON);
            return new LoadStack(
                    work, List.of(broker), broker.bootstrapServers(), broker.bootstrapServers(), List.of(), broker);
        }
        BrokerCluster three = BrokerCluster.start(home, work, List.of(), DELETE_SOON);
        return new LoadStack(work, three.nodes(), three.bootstrapServers(), three.bootstrapServers(), List.of(), three);
    }

    /** Starts one broker; the JVMs of workers get this option. */
    public static LoadStack startWith(String workerOption, Path work) {
        Broker broker = Broker.start(TestbedHome.locate(), work, DELETE_SOON);
        return new LoadStack(
                work,
                List.of(broker),
                broker.bootstrapServers(),
                broker.bootstrapServers(),
                List.of(workerOption),
                broker);
    }

    /** Starts a broker that workers reach through the proxy, and everybody else directly; closes the proxy, too. */
    public static LoadStack startBehind(FaultProxy proxy, Path work) {
        Broker broker = Broker.startBehind(proxy, TestbedHome.locate(), work, DELETE_SOON);
        Closeable both = () -> {
            broker.close();
            proxy.close();
        };
        return new LoadStack(work, List.of(broker), broker.bootstrapServers(), proxy.address(), List.of(), both);
    }

    private Path plugins() {
        return work.resolve("plugins");
    }

    /** The worker of this mode; it stays until another one is asked for, since two would share the processors. */
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
            workerOptions.forEach(worker::jvmOption);
            workers.put(delivery, worker.start());
        }
        return workers.get(delivery);
    }

    /** For clients. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** The processes that are the brokers. */
    public List<Long> brokerPids() {
        return brokers.stream().map(Broker::pid).toList();
    }

    /** Where the calibration files are. */
    public Path calibration() {
        return work.resolve("calibration");
    }

    /** Creates a topic of one partition, replicated as the brokers do by default. */
    public void createTopic(String topic) {
        topics().create(List.of(topic), 1);
    }

    /** Deletes it, so that the disk holds one run at a time. */
    public void deleteTopic(String topic) {
        topics().delete(List.of(topic));
    }

    Topics topics() {
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
