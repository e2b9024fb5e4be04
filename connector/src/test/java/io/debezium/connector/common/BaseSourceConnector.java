package io.debezium.connector.common;

import org.apache.kafka.connect.source.SourceConnector;

/** Stands for Debezium's class, which is known by its name alone. */
public abstract class BaseSourceConnector extends SourceConnector {

    /** For connectors that stand for Debezium's. */
    protected BaseSourceConnector() {}
}
