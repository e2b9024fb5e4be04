package io.debezium.connector.mysql;

import io.debezium.connector.common.BaseSourceConnector;

/** A stand-in for Debezium's class, which the code knows by its name alone. */
public abstract class MySqlConnector extends BaseSourceConnector {

    /** For stand-ins of Debezium's connectors. */
    protected MySqlConnector() {}
}
