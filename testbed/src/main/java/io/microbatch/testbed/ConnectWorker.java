package io.microbatch.testbed;

import java.io.Closeable;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;

/** A distributed Connect worker in a process of its own. Used by one thread at a time. */
public final class ConnectWorker implements Closeable {

    private static final Duration START_LIMIT = Duration.ofSeconds(180);
    private static final Duration STOP_GRACE = Duration.ofSeconds(20);

    private final Server server;
    private final ConnectRest rest;
    private final JmxReader jmx;
    private final String group;
    private final String exporterAddress;

    private ConnectWorker(Server server, RestCall rest, int jmxPort, String group, String exporterAddress) {
        this.server = server;
        this.group = group;
        this.exporterAddress = exporterAddress;
        this.rest = new ConnectRest(rest);
        this.jmx = new JmxReader(jmxPort);
    }

    /** Prepares a worker in a new Connect cluster of its own. */
    public static Builder builder(TestbedHome home, Path workDir, String bootstrapServers) {
        return new Builder(home, workDir, bootstrapServers);
    }

    /** The REST interface of the worker. */
    public ConnectRest rest() {
        return rest;
    }

    /**
     * Waits until this process itself runs the connector's tasks. After a kill and a restart the REST interface still
     * returns the last status of the killed process, so {@link ConnectRest#awaitRunning} would return too early.
     */
    public void awaitRunning(String connector, int taskCount) {
        String tasks = "kafka.connect:type=connector-task-metrics,connector=" + JmxReader.tag(connector) + ",*";
        Await.until(
                taskCount + " tasks of " + connector + " run in worker " + pid(),
                START_LIMIT,
                () -> Collections.frequency(jmx.attributes(tasks, "status").values(), "running") >= taskCount
                        || rest.status(connector).hasFailed(),
                () -> rest.status(connector).toString());
        rest.awaitRunning(connector, taskCount);
    }

    /** The metrics of the worker. */
    public JmxReader jmx() {
        return jmx;
    }

    /** Its {@code group.id}. */
    public String group() {
        return group;
    }

    /** The address of the metrics for Prometheus, {@code 127.0.0.1:port}. Only with {@link Builder#metricsExporter}. */
    public String exporterAddress() {
        if (exporterAddress == null) {
            throw new IllegalStateException("this worker was started without a metrics exporter");
        }
        return exporterAddress;
    }

    /** The process id. */
    public long pid() {
        return server.pid();
    }

    /** Whether the process runs. */
    public boolean isAlive() {
        return server.isAlive();
    }

    /** The last lines of the worker's log, for a failure message. */
    public String logTail() {
        return server.tail();
    }

    /** All log lines of the worker, including those before its restarts. */
    public List<String> logLines() {
        return server.lines();
    }

    /** SIGKILL: no task is stopped, no offset flushed, no transaction ended. */
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

    /** SIGQUIT: the JVM writes each thread's stack into its log. */
    public void dumpThreads() {
        Signals.send("QUIT", pid());
    }

    /** Stops the worker if it runs and starts it with the same identity and ports. */
    public void restart() {
        restart(() -> {});
    }

    /** The same with a step while no process runs, such as the exchange of a plugin. */
    public void restart(Runnable step) {
        server.stop(STOP_GRACE);
        step.run();
        server.start(START_LIMIT, rest::isHealthy);
    }

    @Override
    public void close() {
        jmx.close();
        server.remove(STOP_GRACE);
    }

    /** Collects the settings that differ from the defaults. */
    public static final class Builder {

        private final TestbedHome home;
        private final Path workDir;
        private final Map<String, String> properties = new HashMap<>();
        private final List<String> jvmOptions = new ArrayList<>(List.of("-Xmx512m", "-XX:MaxGCPauseMillis=20"));
        private final Map<String, String> environment = new HashMap<>();
        private String name;
        private String exporterAddress;
        private HttpClient.Builder restClient = HttpClient.newBuilder();
        private String scheme = "http";
        private String authorization;

        private Builder(TestbedHome home, Path workDir, String bootstrapServers) {
            this.home = home;
            this.workDir = workDir;
            String cluster = "testbed-" + UUID.randomUUID().toString().substring(0, 8);
            name = cluster;
            property("bootstrap.servers", bootstrapServers);
            property("group.id", cluster);
            for (String kind : List.of("config", "offset", "status")) {
                property(kind + ".storage.topic", cluster + "-" + kind);
                property(kind + ".storage.replication.factor", "1");
            }
            property("offset.storage.partitions", "4");
            property("status.storage.partitions", "1");
            for (String side : List.of("key", "value")) {
                property(side + ".converter", "org.apache.kafka.connect.json.JsonConverter");
                property(side + ".converter.schemas.enable", "false");
            }
            property("offset.flush.interval.ms", "5000");
            property("scheduled.rebalance.max.delay.ms", "0");
            // After a kill the group waits for the dead member. This is the shortest session that a broker allows.
            property("session.timeout.ms", "6000");
            property("heartbeat.interval.ms", "1500");
            property("plugin.discovery", "service_load");
            property("connector.client.config.override.policy", "All");
            pluginPath(home.plugins());
        }

        /** Sets {@code exactly.once.source.support}. The default is disabled. */
        public Builder exactlyOnce(boolean enabled) {
            return property("exactly.once.source.support", enabled ? "enabled" : "disabled");
        }

        /** Sets the directories that hold plugin directories. The default is the testbed's own plugins. */
        public Builder pluginPath(Path... directories) {
            return property(
                    "plugin.path",
                    Arrays.stream(directories)
                            .map(directory -> directory.toAbsolutePath().toString())
                            .collect(Collectors.joining(",")));
        }

        /** Sets a worker property, which overrides the default. */
        public Builder property(String key, String value) {
            properties.put(key, value);
            return this;
        }

        /** Sets a variable of the worker's environment. */
        public Builder environment(String variable, String value) {
            environment.put(variable, value);
            return this;
        }

        /** Adds an option for the worker's JVM after the defaults ({@code -Xmx512m}), so that it overrides them. */
        public Builder jvmOption(String option) {
            jvmOptions.add(option);
            return this;
        }

        /**
         * Sets the collector options and the maximum heap of {@code connect-distributed.sh} of Kafka 4.3 for
         * measurements, with the whole heap from the start. Otherwise the heap could shrink after one connector's
         * garbage, and the next connector would pay for its growth.
         */
        public Builder measuredJvm() {
            jvmOptions.addAll(List.of(
                    "-Xms2g",
                    "-Xmx2g",
                    "-XX:+AlwaysPreTouch",
                    "-XX:+UseG1GC",
                    "-XX:InitiatingHeapOccupancyPercent=35",
                    "-XX:+ExplicitGCInvokesConcurrent"));
            return this;
        }

        /** Exports the metrics to Prometheus, by the JMX exporter's rules in this file. */
        public Builder metricsExporter(Path rules) {
            exporterAddress = Ports.HOST + ":" + Ports.free();
            return jvmOption("-javaagent:" + home.exporterAgent() + "=" + exporterAddress + ":"
                    + rules.toAbsolutePath().normalize());
        }

        /**
         * Serves the REST interface by HTTPS only. The key store is a property of the caller's.
         *
         * @param client trusts the worker's certificate; {@link ConnectWorker#rest} uses it
         * @param header the header {@code Authorization} of the same requests
         */
        public Builder https(SSLContext client, String header) {
            scheme = "https";
            restClient = restClient.sslContext(client);
            authorization = header;
            return this;
        }

        /**
         * Sets the name of the worker's directory and log. Required if two workers share a work directory and a group.
         */
        public Builder name(String workerName) {
            name = workerName;
            return this;
        }

        /** Starts the worker. Returns when it has joined its group and responds. */
        public ConnectWorker start() {
            URI restAddress = URI.create(scheme + "://" + Ports.HOST + ":" + Ports.free());
            int jmxPort = Ports.free();
            property("listeners", restAddress.toString());
            property("rest.advertised.host.name", Ports.HOST);
            Path directory = JavaCommand.directory(workDir, name);
            List<String> options = JavaCommand.withCommon(jvmOptions);
            options.addAll(JmxReader.serverOptions(jmxPort));
            Server server = Servers.chosen().connect(home, workDir, directory, properties, options, environment);
            RestCall rest = new RestCall(restAddress, restClient, authorization);
            ConnectWorker worker =
                    new ConnectWorker(server, rest, jmxPort, properties.get("group.id"), exporterAddress);
            worker.restart();
            return worker;
        }
    }
}
