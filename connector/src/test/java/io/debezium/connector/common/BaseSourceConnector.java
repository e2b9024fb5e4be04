package io.debezium.connector.common;

import org.apache.kafka.connect.source.SourceConnector;

/** A stand-in for Debezium's class, which the code knows by its name alone. */
public abstract class BaseSourceConnector extends SourceConnector {

    /** For stand-ins of Debezium's connectors. */
    protected BaseSourceConnector() {}
}
