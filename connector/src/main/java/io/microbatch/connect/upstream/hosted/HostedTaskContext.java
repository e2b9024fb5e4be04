package io.microbatch.connect.upstream.hosted;

import io.microbatch.connect.config.HostedConfig;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.apache.kafka.connect.source.TransactionContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/**
 * The context of a hosted task: its own settings, the offsets of the connector that hosts it, and transactions that are
 * translated to the records that Connect gets. Any thread, because a task may use it in its hooks.
 */
final class HostedTaskContext implements SourceTaskContext {

    private final SourceTaskContext outer;
    private final HostedTransactions transactions;

    HostedTaskContext(SourceTaskContext outer, AtomicReference<Runnable> pendingBoundary) {
        this.outer = outer;
        this.transactions = new HostedTransactions(outer.transactionContext(), pendingBoundary);
    }

    HostedTransactions transactions() {
        return transactions;
    }

    @Override
    public Map<String, String> configs() {
        return HostedConfig.taskSettings(outer.configs());
    }

    @Override
    public OffsetStorageReader offsetStorageReader() {
        return outer.offsetStorageReader();
    }

    @Override
    public TransactionContext transactionContext() {
        return transactions.orNull();
    }

    @Override
    public PluginMetrics pluginMetrics() {
        return outer.pluginMetrics();
    }
}
