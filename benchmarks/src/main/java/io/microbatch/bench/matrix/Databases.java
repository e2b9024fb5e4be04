package io.microbatch.bench.matrix;

import io.microbatch.testbed.PostgresServer;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/** The PostgreSQL servers of a run, each started when a cell first needs it. One thread. */
final class Databases implements AutoCloseable {

    private final Path work;
    private final ReleaseFiles files;
    private final Map<String, String> settings;
    private final Map<PostgresRelease, PostgresServer> running = new EnumMap<>(PostgresRelease.class);

    /**
     * Starts nothing.
     *
     * @param cells how many replication slots are needed
     */
    Databases(Path work, ReleaseFiles files, int cells) {
        this.work = work;
        this.files = files;
        this.settings = Map.of("max_replication_slots", Integer.toString(cells + 1));
    }

    /** A running server of a release. */
    PostgresServer of(PostgresRelease release) {
        return running.computeIfAbsent(release, this::start);
    }

    private PostgresServer start(PostgresRelease release) {
        Path own = work.resolve("postgres-" + release.version());
        return release == PostgresRelease.OF_THE_BUILD
                ? PostgresServer.start(own, settings)
                : PostgresServer.start(own, settings, files.server(release));
    }

    @Override
    public void close() {
        running.values().forEach(PostgresServer::close);
    }
}
