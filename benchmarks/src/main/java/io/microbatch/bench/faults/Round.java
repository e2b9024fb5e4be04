package io.microbatch.bench.faults;

import io.microbatch.bench.load.Delivery;
import java.util.List;

/**
 * One stream of events from its beginning to its end, and what happens meanwhile, in this order.
 *
 * @param planted whether the plugin is given bugs instead, which the oracle has to see
 */
record Round(Delivery mode, Source source, List<Fault> faults, boolean planted) {

    /**
     * How long a transaction may stay open. As short as it can be, so that a freeze outlasts it; but where the broker
     * is alone and killed, longer than it takes to start again. A lone broker that finds an expired transaction while
     * it starts takes its partitions, which have no leader at that moment, for deleted ones, and completes the abort
     * without writing its markers (seen with Kafka 4.3.1): the transaction then hangs for good and no consumer gets
     * past it.
     */
    long transactionTimeoutMs(int brokers) {
        return brokers == 1 && faults.stream().anyMatch(fault -> fault.kind().endsBrokers()) ? 60_000 : 5_000;
    }

    /** Where the events come from. */
    enum Source {
        SYNTHETIC,
        FILE,
        POSTGRES,
        /** Transactions that overlap, with rows in an outbox table. */
        OUTBOX,
        /** Clients that send each request with a key, and again until it is answered with 200. */
        HTTP,
        /** The same with 100 events in each request. */
        HTTP_BATCHES,
        /** Clients that send each request once. */
        HTTP_UNKEYED;

        String text() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }

        /** Whether there are clients that wait for answers. */
        boolean hasClients() {
            return this == HTTP || this == HTTP_BATCHES || this == HTTP_UNKEYED;
        }

        /** Whether it can be read again from an offset: Connect's condition for exactly.once.support=required. */
        boolean canBeReadAgain() {
            return !hasClients();
        }

        /** Whether several tasks share it. */
        boolean hasSeveralTasks() {
            return this == SYNTHETIC || this == OUTBOX || hasClients();
        }

        /** Whether its events are in a database. */
        boolean hasDatabase() {
            return this == POSTGRES || this == OUTBOX;
        }
    }
}
