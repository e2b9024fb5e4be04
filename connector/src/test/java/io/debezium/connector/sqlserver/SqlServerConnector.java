package io.debezium.connector.sqlserver;

import io.debezium.connector.common.BaseSourceConnector;

/** A stand-in for Debezium's class, which the code knows by its name alone. */
public abstract class SqlServerConnector extends BaseSourceConnector {

    /** For stand-ins of Debezium's connectors. */
    protected SqlServerConnector() {}
}
