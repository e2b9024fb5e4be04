package io.microbatch.bench.matrix;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A combination that the connector is tried in. The broker and the worker run on the same Java. */
record Cell(
        KafkaRelease worker,
        KafkaRelease broker,
        InstalledJava java,
        DebeziumRelease debezium,
        PostgresRelease postgres) {

    /** Kafka 3.9 is older than Java 24, which has disabled the security manager. */
    private static final int NEWEST_JAVA_OF_3 = 23;

    /** With the Debezium and the PostgreSQL that this project is built and tested with. */
    Cell(KafkaRelease worker, KafkaRelease broker, InstalledJava java) {
        this(worker, broker, java, DebeziumRelease.OF_THE_BUILD, PostgresRelease.OF_THE_BUILD);
    }

    /** The two ends: the oldest release on the oldest Java, and the newest on the newest. */
    static List<Cell> ends(List<InstalledJava> javas) {
        return List.of(
                new Cell(KafkaRelease.oldest(), KafkaRelease.oldest(), javas.get(0)),
                new Cell(KafkaRelease.newest(), KafkaRelease.newest(), javas.get(javas.size() - 1)));
    }

    /**
     * Every release on every Java that it runs on. On the oldest Java the oldest worker with the newest broker and the
     * reverse, and every line of Debezium on the newest worker with the newest PostgreSQL.
     */
    static List<Cell> all(List<InstalledJava> javas) {
        Set<Cell> cells = new LinkedHashSet<>();
        for (InstalledJava java : javas) {
            for (KafkaRelease release : KafkaRelease.values()) {
                if (release != KafkaRelease.V3_9 || java.feature() <= NEWEST_JAVA_OF_3) {
                    cells.add(new Cell(release, release, java));
                }
            }
        }
        cells.add(new Cell(KafkaRelease.oldest(), KafkaRelease.newest(), javas.get(0)));
        cells.add(new Cell(KafkaRelease.newest(), KafkaRelease.oldest(), javas.get(0)));
        for (DebeziumRelease debezium : DebeziumRelease.lines()) {
            cells.add(new Cell(
                    KafkaRelease.newest(), KafkaRelease.newest(), javas.get(0), debezium, PostgresRelease.newest()));
        }
        return new ArrayList<>(cells);
    }

    /** As progress shows it. */
    String text() {
        return "worker " + worker.version() + ", broker " + broker.version() + ", Java " + java.version()
                + ", Debezium " + debezium.version() + ", PostgreSQL " + postgres.version();
    }
}
