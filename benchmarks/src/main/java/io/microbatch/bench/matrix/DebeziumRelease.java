package io.microbatch.bench.matrix;

import java.util.List;

/** The releases of Debezium's connectors that are hosted, oldest first. */
enum DebeziumRelease {
    V3_4("3.4.3"),
    V3_5("3.5.2"),
    V3_6_1("3.6.1"),
    V3_6("3.6.3");

    /** What the testbed has. The others are downloaded. */
    static final DebeziumRelease OF_THE_BUILD = V3_6_1;

    private static final String PLUGIN = "io.debezium:debezium-connector-postgres:%s.Final:tar.gz:plugin";

    private final String version;

    DebeziumRelease(String version) {
        this.version = version;
    }

    /** The latest patch of each line. */
    static List<DebeziumRelease> lines() {
        return List.of(V3_4, V3_5, V3_6);
    }

    /** As results name it: {@code 3.6.1}. */
    String version() {
        return version;
    }

    /** Maven's coordinates of the plugin for PostgreSQL. */
    String artifact() {
        return PLUGIN.formatted(version);
    }
}
