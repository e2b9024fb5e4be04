package io.debezium.connector.common;

import org.apache.kafka.connect.source.SourceTask;

/** Stands for Debezium's class, which is known by its name alone. */
public abstract class BaseSourceTask extends SourceTask {

    /** For tasks that stand for Debezium's. */
    protected BaseSourceTask() {}
}
