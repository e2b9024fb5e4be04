package io.debezium.connector.postgresql;

import io.debezium.connector.common.BaseSourceConnector;

/** Stands for Debezium's class, which is known by its name alone. */
public abstract class PostgresConnector extends BaseSourceConnector {

    /** For connectors that stand for Debezium's. */
    protected PostgresConnector() {}
}
