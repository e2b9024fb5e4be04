package io.microbatch.bench.matrix;

import io.microbatch.testbed.Broker;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.JmxReader;
import io.microbatch.testbed.TestbedHome;
import io.microbatch.testbed.TopicReader;
import java.nio.file.Path;
import java.util.List;

/** The broker and the exactly-once worker of a cell. One thread. */
final class CellServers implements AutoCloseable {

    private static final List<String> OF_ANOTHER_API = List.of(
            "NoSuchMethodError",
            "NoSuchFieldError",
            "NoClassDefFoundError",
            "AbstractMethodError",
            "IncompatibleClassChangeError",
            "UnsupportedClassVersionError");

    private static final String OF_PLUGIN_METRICS = "org/apache/kafka/common/metrics/Monitorable";

    private final Path work;
    private final Broker broker;
    private final ConnectWorker worker;

    /**
     * Starts both.
     *
     * @param work the directory of the cell
     * @param plugins the directory with our unpacked archive
     */
    CellServers(Path work, Path plugins, Cell cell, ReleaseFiles files) {
        this.work = work;
        TestbedHome home = TestbedHome.locate();
        Path java = cell.java().home();
        broker = Broker.start(home.with(files.libs(cell.broker()), java), work);
        try {
            worker = ConnectWorker.builder(home.with(files.libs(cell.worker()), java), work, broker.bootstrapServers())
                    .exactlyOnce(true)
                    .pluginPath(plugins, files.plugins(cell.debezium()))
                    .property("offset.flush.interval.ms", "1000")
                    .property("task.shutdown.graceful.timeout.ms", "15000")
                    .start();
        } catch (RuntimeException e) {
            broker.close();
            throw e;
        }
    }

    ConnectRest rest() {
        return worker.rest();
    }

    JmxReader jmx() {
        return worker.jmx();
    }

    /** Waits until this number of tasks of a connector run. */
    void awaitRunning(String connector, int tasks) {
        worker.awaitRunning(connector, tasks);
    }

    /** Stops a connector as an operator does, so that its last transaction has ended. */
    void stop(String connector) {
        worker.rest().stop(connector);
        worker.rest().awaitState(connector, "STOPPED");
    }

    TopicReader reader() {
        return new TopicReader(broker.bootstrapServers());
    }

    /** Where the connectors of the cell keep what they learn. */
    String calibrationDirectory() {
        return work.resolve("calibration").toString();
    }

    /**
     * The lines of the worker's log that name a class or a method that one side has and the other lacks, without those
     * of {@code ObservePressure}, which is documented for workers with plugin metrics only.
     */
    List<String> linesOfAnotherApi() {
        return worker.logLines().stream()
                .filter(line -> OF_ANOTHER_API.stream().anyMatch(line::contains))
                .filter(line -> !line.contains(OF_PLUGIN_METRICS))
                .toList();
    }

    @Override
    public void close() {
        worker.close();
        broker.close();
    }
}
