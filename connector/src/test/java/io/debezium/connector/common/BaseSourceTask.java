package io.debezium.connector.common;

import org.apache.kafka.connect.source.SourceTask;

/** A stand-in for Debezium's class, which the code knows by its name alone. */
public abstract class BaseSourceTask extends SourceTask {

    /** For stand-ins of Debezium's tasks. */
    protected BaseSourceTask() {}
}
