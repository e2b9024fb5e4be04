package io.microbatch.bench.faults;

import io.microbatch.bench.load.Delivery;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.Broker;
import io.microbatch.testbed.BrokerCluster;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.ConnectRestException;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.FaultProxy;
import io.microbatch.testbed.PluginArchive;
import io.microbatch.testbed.TestbedHome;
import io.microbatch.testbed.failpoint.FailpointControl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is broken: one broker or three, each behind a proxy, and two distributed workers of one group with the failpoint
 * agent. The brokers outlive the workers, which are replaced for the other delivery mode. Used by one thread.
 */
final class Arena implements AutoCloseable {

    /** How often Connect stores source offsets in at-least-once mode, and how long it tries. */
    static final long OFFSET_FLUSH_INTERVAL_MS = 1_000;

    static final long OFFSET_FLUSH_TIMEOUT_MS = 5_000;
    /** A worker that is silent for this time is dead for its group. */
    static final long SESSION_TIMEOUT_MS = 4_000;

    private static final int WORKERS = 2;
    private static final Duration REST_LIMIT = Duration.ofSeconds(60);

    private final TestbedHome home = TestbedHome.locate();
    private final Path work;
    private final List<FaultProxy> proxies = new ArrayList<>();
    private final List<Broker> brokers;
    private final Runnable stopBrokers;
    private final List<ConnectWorker> workers = new ArrayList<>();
    private final List<FailpointControl> failpoints = new ArrayList<>();

    Arena(Path work, Path archive, boolean replicated) {
        this.work = work;
        PluginArchive.unpack(archive, work.resolve("plugins"));
        Map<String, String> overrides = Map.of(
                "group.min.session.timeout.ms", "1000",
                // Expired transactions are looked for this often; by default every 10 s.
                "transaction.abort.timed.out.transaction.cleanup.interval.ms", "500",
                "auto.create.topics.enable", "false");
        for (int i = 0; i < (replicated ? BrokerCluster.NODES : 1); i++) {
            proxies.add(FaultProxy.listen());
        }
        if (replicated) {
            BrokerCluster three = BrokerCluster.start(home, work, proxies, overrides);
            brokers = three.nodes();
            stopBrokers = three::close;
        } else {
            Broker alone = Broker.startBehind(proxies.get(0), home, work, overrides);
            brokers = List.of(alone);
            stopBrokers = alone::close;
        }
    }

    /** Starts the workers of a delivery mode in place of those that run. */
    void enter(Delivery mode) {
        closeWorkers();
        List<CompletableFuture<ConnectWorker>> starting = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            String name = mode.text() + "-" + i;
            FailpointControl control = new FailpointControl(home, work.resolve(name + "-failpoints"));
            failpoints.add(control);
            starting.add(CompletableFuture.supplyAsync(() -> worker(mode, name, control)));
        }
        starting.forEach(worker -> workers.add(worker.join()));
    }

    private ConnectWorker worker(Delivery mode, String name, FailpointControl control) {
        String group = group(mode);
        ConnectWorker.Builder builder = ConnectWorker.builder(home, work, proxiedServers())
                .name(name)
                .exactlyOnce(mode == Delivery.EXACTLY_ONCE)
                .pluginPath(work.resolve("plugins"), home.plugins())
                .property("group.id", group)
                .property("config.storage.replication.factor", Integer.toString(brokers.size()))
                .property("offset.storage.replication.factor", Integer.toString(brokers.size()))
                .property("status.storage.replication.factor", Integer.toString(brokers.size()))
                .property("config.storage.topic", configTopic(mode))
                .property("offset.storage.topic", offsetsTopic(mode))
                .property("status.storage.topic", group + "-status")
                .property("session.timeout.ms", Long.toString(SESSION_TIMEOUT_MS))
                .property("heartbeat.interval.ms", "1000")
                .property("rebalance.timeout.ms", "10000")
                .property("offset.flush.interval.ms", Long.toString(OFFSET_FLUSH_INTERVAL_MS))
                .property("offset.flush.timeout.ms", Long.toString(OFFSET_FLUSH_TIMEOUT_MS))
                .property("reconnect.backoff.max.ms", "200")
                .jvmOption("-Xmx384m")
                // Two cores for everything: a worker that is killed every few seconds lives by how soon it starts.
                .jvmOption("-XX:TieredStopAtLevel=1")
                .jvmOption("-XX:+UseSerialGC")
                .jvmOption("-XX:+HeapDumpOnOutOfMemoryError")
                .jvmOption(control.jvmOption());
        return builder.start();
    }

    private static String group(Delivery mode) {
        return "faults-" + mode.text();
    }

    /** Where the workers of this mode keep configurations. */
    String configTopic(Delivery mode) {
        return group(mode) + "-config";
    }

    /** Where the workers of this mode keep source offsets. */
    String offsetsTopic(Delivery mode) {
        return group(mode) + "-offset";
    }

    private String proxiedServers() {
        return proxies.stream().map(FaultProxy::address).collect(Collectors.joining(","));
    }

    /** How to reach the brokers past the proxies. */
    String bootstrapServers() {
        return brokers.stream().map(Broker::bootstrapServers).collect(Collectors.joining(","));
    }

    List<Broker> brokers() {
        return brokers;
    }

    /** Does the same to the network in front of every broker. */
    void network(Consumer<FaultProxy> disturbance) {
        proxies.forEach(disturbance);
    }

    /** Where the REST interfaces of all workers are. They stay there when a worker is restarted. */
    List<URI> restAddresses() {
        return workers.stream().map(worker -> worker.rest().address()).toList();
    }

    int workerCount() {
        return workers.size();
    }

    ConnectWorker worker(int index) {
        return workers.get(index);
    }

    /**
     * A worker that runs a task of this connector, from this index on: a fault of a worker without a task has no
     * effect.
     */
    int hosting(String connector, int from) {
        String tasks = "kafka.connect:type=connector-task-metrics,connector=" + connector + ",*";
        for (int i = 0; i < workers.size(); i++) {
            int index = (from + i) % workers.size();
            try {
                if (!workers.get(index).jmx().attributes(tasks, "status").isEmpty()) {
                    return index;
                }
            } catch (RuntimeException e) {
                // A worker that does not answer now does not run well.
                continue;
            }
        }
        return from;
    }

    FailpointControl failpoints(int index) {
        return failpoints.get(index);
    }

    /** Asks the first worker that answers, and repeats while none does. */
    <T> T ask(String what, Function<ConnectRest, T> question) {
        List<T> answer = new ArrayList<>();
        RuntimeException[] last = new RuntimeException[1];
        Await.until(
                what,
                REST_LIMIT,
                () -> {
                    for (ConnectWorker worker : workers) {
                        if (worker.isAlive()) {
                            try {
                                answer.add(question.apply(worker.rest()));
                                return true;
                            } catch (ConnectRestException | CompletionException | IllegalStateException e) {
                                last[0] = e;
                            }
                        }
                    }
                    return false;
                },
                () -> String.valueOf(last[0]));
        return answer.get(0);
    }

    /** The same without an answer. */
    void tell(String what, Consumer<ConnectRest> order) {
        boolean ignored = ask(what, rest -> {
            order.accept(rest);
            return true;
        });
    }

    /** Makes every running worker write its threads' stacks into its log. */
    void dumpThreads() {
        workers.stream().filter(ConnectWorker::isAlive).forEach(ConnectWorker::dumpThreads);
    }

    /** Files that a dying JVM leaves: error reports and heap dumps. */
    List<Path> remains() {
        try (Stream<Path> files = Files.walk(work)) {
            return files.filter(file -> {
                        String name = file.getFileName().toString();
                        return name.startsWith("hs_err") || name.endsWith(".hprof");
                    })
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void closeWorkers() {
        workers.forEach(ConnectWorker::close);
        workers.clear();
        failpoints.clear();
    }

    @Override
    public void close() {
        closeWorkers();
        stopBrokers.run();
        proxies.forEach(FaultProxy::close);
    }
}
