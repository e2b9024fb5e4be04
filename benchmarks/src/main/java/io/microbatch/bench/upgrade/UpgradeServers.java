package io.microbatch.bench.upgrade;

import io.microbatch.testbed.Broker;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.PluginArchive;
import io.microbatch.testbed.TestbedHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A broker and two exactly-once workers of one group. Each has a directory with the plugin of its own, in which the
 * plugin can be exchanged. Used by one thread.
 */
final class UpgradeServers implements AutoCloseable {

    private static final int WORKERS = 2;
    private static final String GROUP = "upgrade";

    private final Path work;
    private final Broker broker;
    private final List<ConnectWorker> workers = new ArrayList<>();
    private int exchanges;

    /**
     * Starts them.
     *
     * @param work a directory of their own
     * @param archive the archive that the workers begin with
     */
    UpgradeServers(Path work, Path archive) {
        this.work = work;
        TestbedHome home = TestbedHome.locate();
        broker = Broker.start(home, work);
        try {
            for (int i = 0; i < WORKERS; i++) {
                PluginArchive.unpack(archive, plugins(i));
                workers.add(start(home, i));
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private ConnectWorker start(TestbedHome home, int number) {
        ConnectWorker.Builder worker = ConnectWorker.builder(home, work, broker.bootstrapServers())
                .name("worker-" + number)
                .exactlyOnce(true)
                .pluginPath(plugins(number), home.plugins())
                .property("group.id", GROUP)
                // Two cores for everything, and each start is waited for.
                .jvmOption("-Xmx384m")
                .jvmOption("-XX:TieredStopAtLevel=1")
                .jvmOption("-XX:+UseSerialGC");
        for (String kind : List.of("config", "offset", "status")) {
            worker.property(kind + ".storage.topic", GROUP + "-" + kind);
        }
        return worker.start();
    }

    private Path plugins(int worker) {
        return work.resolve("plugins-" + worker);
    }

    /** Stops one worker after the other, exchanges its archive and starts it again, as an operator does. */
    void exchange(Path archive) {
        exchanges++;
        for (int i = 0; i < WORKERS; i++) {
            Path plugins = plugins(i);
            Path removed = work.resolve("removed-" + i + "-" + exchanges);
            workers.get(i).restart(() -> {
                try {
                    Path ignored = Files.move(plugins, removed);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                PluginArchive.unpack(archive, plugins);
            });
        }
    }

    /** The REST interface of a worker. */
    ConnectRest rest() {
        return workers.get(0).rest();
    }

    String bootstrapServers() {
        return broker.bootstrapServers();
    }

    /** Where tasks keep what they learn. */
    Path calibration() {
        return work.resolve("calibration");
    }

    @Override
    public void close() {
        workers.forEach(ConnectWorker::close);
        broker.close();
    }
}
