package io.microbatch.connect.console;

import java.util.Set;

/** The kinds of MBeans that the console reads, by the one that has a {@link Figure}. Constant; any thread. */
enum Bean {
    /** Connect's figures of a source task. */
    SOURCE("kafka.connect", "source-task-metrics"),
    /** Connect's figures of any task. */
    TASK("kafka.connect", "connector-task-metrics"),
    /** Connect's figures of errors and retries. */
    ERRORS("kafka.connect", "task-error-metrics"),
    /** The task's producer, as long as the connector does not choose another client id. */
    PRODUCER("kafka.producer", "producer-metrics"),
    /** The same producer's figures of each broker that it has asked for something. */
    PRODUCER_NODES("kafka.producer", "producer-node-metrics"),
    /** What this project's tasks publish once per task. */
    MICROBATCH("kafka.connect", "plugins"),
    /** What this project's tasks publish once per stripe. The sum of all stripes is read. */
    STRIPES("kafka.connect", "plugins"),
    /** What this project's HTTP tasks publish once per reason of a refusal. The sum of all reasons is read. */
    REFUSALS("kafka.connect", "plugins"),
    /** What a Debezium connector publishes while it streams. The connector's settings name the MBean. */
    DEBEZIUM("debezium.*", "connector-metrics"),
    /** What a Debezium connector publishes of its snapshot. Found as the one before. */
    DEBEZIUM_SNAPSHOT("debezium.*", "connector-metrics");

    /** The kinds with one MBean for each task, whose name is known. Nothing has to be looked for. */
    static final Set<Bean> NAMED = Set.of(SOURCE, TASK, ERRORS, PRODUCER, MICROBATCH);

    private final String domain;
    private final String type;

    Bean(String domain, String type) {
        this.domain = domain;
        this.type = type;
    }

    /** The beginning of the object name, up to the type. */
    String prefix() {
        return domain + ":type=" + type;
    }
}
