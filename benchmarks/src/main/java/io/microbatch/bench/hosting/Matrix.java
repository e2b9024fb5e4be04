package io.microbatch.bench.hosting;

import io.microbatch.bench.load.Delivery;
import java.util.List;

/** How much of the matrix is run: which families, in which modes, with how many kills of the worker. */
enum Matrix {
    SMOKE(
            1,
            List.of(Delivery.EXACTLY_ONCE),
            List.of(List.of(
                    Family.SOLACE_ACKNOWLEDGES_POLLED_IN_COMMIT,
                    Family.IBM_MQ_AWAITS_ITS_BATCH,
                    Family.RETRIABLE_AND_EMPTY_POLLS))),
    QUICK(2, List.of(Delivery.values()), everyFamily()),
    FULL(8, List.of(Delivery.values()), everyFamily());

    private final int kills;
    private final List<Delivery> modes;
    private final List<List<Family>> waves;

    Matrix(int kills, List<Delivery> modes, List<List<Family>> waves) {
        this.kills = kills;
        this.modes = modes;
        this.waves = waves;
    }

    /**
     * As many at a time as two cores carry, the real connectors with the first. In the last wave are those that hold up
     * others: a slow commit has the only thread for it, and what never stops runs on.
     */
    private static List<List<Family>> everyFamily() {
        return List.of(
                List.of(
                        Family.SOLACE_ACKNOWLEDGES_POLLED_IN_COMMIT,
                        Family.SQS_ACKNOWLEDGES_IN_COMMIT_RECORD,
                        Family.IBM_MQ_AWAITS_ITS_BATCH),
                List.of(
                        Family.IBM_MQ_AWAITS_ITS_BATCH_BOUNDED,
                        Family.JMS_PREFETCH_AND_BLOCKING_TAKE,
                        Family.RETRIABLE_AND_EMPTY_POLLS,
                        Family.OWN_TRANSACTION_BOUNDARIES,
                        Family.EVERY_SHAPE_OF_RECORD,
                        Family.ONE_RECORD_A_POLL),
                List.of(
                        Family.FIFTY_THOUSAND_A_POLL,
                        Family.COMMIT_TAKES_30_SECONDS,
                        Family.BLOCKS_IN_POLL_UNTIL_CLOSED,
                        Family.STOP_NEVER_RETURNS));
    }

    int kills() {
        return kills;
    }

    List<Delivery> modes() {
        return modes;
    }

    List<List<Family>> waves() {
        return waves;
    }
}
