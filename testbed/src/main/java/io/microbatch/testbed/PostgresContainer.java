package io.microbatch.testbed;

import java.nio.file.Path;
import java.time.Duration;

/** A PostgreSQL server in a container. Used by one thread at a time. */
final class PostgresContainer extends PostgresServer {

    private static final Duration STOP_GRACE = Duration.ofSeconds(10);

    private final ContainerServer server;

    PostgresContainer(ContainerServer server, int port) {
        super(port);
        this.server = server;
    }

    @Override
    public void kill() {
        server.signal("QUIT");
    }

    @Override
    public void restart() {
        server.start(START_LIMIT, this::answers);
    }

    @Override
    public PostgresServer standby(Path workDir, int primaryPort) {
        throw new UnsupportedOperationException("a standby is a process: its test needs the tag 'processes'");
    }

    @Override
    public long pid() {
        return server.pid();
    }

    @Override
    public void close() {
        server.remove(STOP_GRACE);
    }
}
