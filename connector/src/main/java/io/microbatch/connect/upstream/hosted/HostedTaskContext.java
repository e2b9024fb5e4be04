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
    private final Map<String, String> startedWith;
    private final HostedTransactions transactions;
    private final HostedMetrics metrics = new HostedMetrics();

    /**
     * Creates the context of one task.
     *
     * @param startedWith the task configuration, for runtimes whose context has none
     */
    HostedTaskContext(
            SourceTaskContext outer, Map<String, String> startedWith, AtomicReference<Runnable> pendingBoundary) {
        this.outer = outer;
        this.startedWith = startedWith;
        this.transactions = new HostedTransactions(outer.transactionContext(), pendingBoundary);
    }

    HostedTransactions transactions() {
        return transactions;
    }

    @Override
    public Map<String, String> configs() {
        Map<String, String> configs = outer.configs();
        return HostedConfig.taskSettings(configs == null ? startedWith : configs);
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
        return metrics.over(outer.pluginMetrics());
    }

    /** The task has stopped. Another one may be started in this context. */
    void removeMetrics() {
        metrics.removeAll();
    }
}
