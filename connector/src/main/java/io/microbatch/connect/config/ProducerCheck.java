package io.microbatch.connect.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Warns of producer overrides that harm a latency budget or the order. Connect's validation has errors only, and none
 * of these prevents a connector from running. Prints keys and numbers, which are no secrets. Stateless; any thread.
 */
public final class ProducerCheck {

    private static final String PREFIX = WorkerKeys.PRODUCER_PREFIX;

    private static final String LINGER_MS = "linger.ms";
    private static final String BATCH_SIZE = "batch.size";
    private static final String TRANSACTION_TIMEOUT_MS = "transaction.timeout.ms";
    private static final String IN_FLIGHT = "max.in.flight.requests.per.connection";

    /** The budget at 500 events/s and more without a latency target. */
    private static final long USUAL_BUDGET_MS = 50;

    private static final long BATCH_SIZE_DEFAULT = 16_384;

    /** Batches shrink when a transaction takes 5 s. The next transaction may take as long again, plus its commit. */
    private static final long MIN_TRANSACTION_TIMEOUT_MS = 15_000;

    private ProducerCheck() {}

    /** One warning per harmful override, with the key and the remedy. Empty if there is none. */
    public static List<String> warnings(Map<String, String> properties) {
        List<String> warnings = new ArrayList<>();
        long budgetMs = WorkerKeys.number(properties, BatchConfig.LATENCY_TARGET_MS_CONFIG)
                .orElse(USUAL_BUDGET_MS);
        override(properties, LINGER_MS).ifPresent(lingerMs -> {
            if (2 * lingerMs > budgetMs) {
                warnings.add(PREFIX + LINGER_MS + "=" + lingerMs + " takes more than half of a latency budget of "
                        + budgetMs + " ms unless the worker commits transactions: the task batches already; "
                        + "leave it out, or raise " + BatchConfig.LATENCY_TARGET_MS_CONFIG);
            }
        });
        override(properties, BATCH_SIZE).ifPresent(bytes -> checkBatchSize(properties, bytes, warnings));
        override(properties, TRANSACTION_TIMEOUT_MS).ifPresent(timeoutMs -> {
            if (timeoutMs < MIN_TRANSACTION_TIMEOUT_MS) {
                warnings.add(PREFIX + TRANSACTION_TIMEOUT_MS + "=" + timeoutMs + " is less than a large batch may take "
                        + "on a slow broker, and a transaction that is aborted fails the task: set at least "
                        + MIN_TRANSACTION_TIMEOUT_MS + ", or leave it out");
            }
        });
        override(properties, IN_FLIGHT).ifPresent(requests -> {
            boolean idempotent = Boolean.parseBoolean(properties.get(PREFIX + "enable.idempotence"));
            if (requests > 1 && !idempotent) {
                warnings.add(PREFIX + IN_FLIGHT + "=" + requests + " may reorder events when a request is sent again, "
                        + "unless the worker is exactly-once: set " + PREFIX + "enable.idempotence=true with it");
            }
        });
        return warnings;
    }

    private static void checkBatchSize(Map<String, String> properties, long bytes, List<String> warnings) {
        if (bytes < BATCH_SIZE_DEFAULT) {
            warnings.add(PREFIX + BATCH_SIZE + "=" + bytes + " splits a batch into many small requests, which wait for "
                    + "each other: set at least " + BATCH_SIZE_DEFAULT + ", better 1000000, or leave it out");
        }
        long requestBytes = ProducerLimit.REQUEST.bytes(properties);
        if (bytes > requestBytes) {
            warnings.add(PREFIX + BATCH_SIZE + "=" + bytes + " exceeds a request of " + requestBytes
                    + " bytes, and the broker may refuse such a batch, which is then sent again in parts: lower "
                    + "it, or raise " + ProducerLimit.REQUEST.key() + " and the topic's max.message.bytes");
        }
    }

    private static OptionalLong override(Map<String, String> properties, String key) {
        return WorkerKeys.number(properties, PREFIX + key);
    }
}
