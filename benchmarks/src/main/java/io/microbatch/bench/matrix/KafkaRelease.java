package io.microbatch.bench.matrix;

import java.util.Arrays;
import java.util.List;

/** The releases of Kafka and Connect that the connector is tried with: the latest patch of each line, oldest first. */
enum KafkaRelease {
    V3_9("3.9.2", Logging.RELOAD4J),
    V4_0("4.0.2", Logging.LOG4J2),
    V4_1("4.1.2", Logging.LOG4J2),
    V4_2("4.2.0", Logging.LOG4J2),
    V4_3("4.3.1", Logging.LOG4J2);

    private final String version;
    private final Logging logging;

    /** What the release ships for SLF4J to log with. Its own poms do not name it. */
    enum Logging {
        RELOAD4J("org.slf4j", "slf4j-reload4j", "1.7.36"),
        LOG4J2("org.apache.logging.log4j", "log4j-slf4j-impl", "2.25.4");

        private final String group;
        private final String artifact;
        private final String version;

        Logging(String group, String artifact, String version) {
            this.group = group;
            this.artifact = artifact;
            this.version = version;
        }
    }

    KafkaRelease(String version, Logging logging) {
        this.version = version;
        this.logging = logging;
    }

    static KafkaRelease oldest() {
        return values()[0];
    }

    static KafkaRelease newest() {
        List<KafkaRelease> all = Arrays.asList(values());
        return all.get(all.size() - 1);
    }

    /** As results name it: {@code 4.3.1}. */
    String version() {
        return version;
    }

    /** The name of its line: {@code 4.3}. */
    String line() {
        return version.substring(0, version.lastIndexOf('.'));
    }

    /** Whether a worker has metrics for plugins (KIP-877). */
    boolean hasPluginMetrics() {
        return compareTo(V4_1) >= 0;
    }

    /** Replaces the names of the pom by this release. */
    String fill(String pom) {
        return pom.replace("@kafka@", version)
                .replace("@logging.group@", logging.group)
                .replace("@logging.artifact@", logging.artifact)
                .replace("@logging.version@", logging.version);
    }
}
