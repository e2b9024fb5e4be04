package io.microbatch.connect.console;

import io.microbatch.connect.common.Version;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.connect.rest.ConnectRestExtension;
import org.apache.kafka.connect.rest.ConnectRestExtensionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the console to a worker's REST interface. A worker loads it only if its property {@code rest.extension.classes}
 * names this class. It needs Connect 4.0 or later. If it cannot start, the worker runs without it and logs why. The
 * worker's starting and stopping thread.
 */
public final class ConsoleExtension implements ConnectRestExtension {

    private static final Logger log = LoggerFactory.getLogger(ConsoleExtension.class);

    private WorkerProperties worker = new WorkerProperties(Map.of());
    /** Null until it is registered, and if it could not start. */
    private Console console;

    /** Does nothing: the worker also makes an instance to learn the version. */
    public ConsoleExtension() {
        // The console starts when it is registered.
    }

    @Override
    public void configure(Map<String, ?> properties) {
        worker = new WorkerProperties(Map.copyOf(withoutNulls(properties)));
    }

    private static Map<String, Object> withoutNulls(Map<String, ?> properties) {
        Map<String, Object> known = new HashMap<>(properties);
        known.values().removeIf(Objects::isNull);
        return known;
    }

    @Override
    public void register(ConnectRestExtensionContext context) {
        try {
            console = new Console(context.clusterState(), worker);
            context.configurable().register(new ConsoleResource(console));
            log.info("The console is at /microbatch/ of this worker's REST interface");
        } catch (RuntimeException | LinkageError e) {
            log.warn("The console could not start. The worker runs without it", e);
            close();
        }
    }

    @Override
    public String version() {
        return Version.current();
    }

    @Override
    public void close() {
        if (console != null) {
            console.close();
            console = null;
        }
    }
}
