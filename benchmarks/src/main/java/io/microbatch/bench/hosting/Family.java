package io.microbatch.bench.hosting;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** The families of connectors that the reference connector behaves like, with the settings that make it so. */
enum Family {
    SOLACE_ACKNOWLEDGES_POLLED_IN_COMMIT(2, 30, 2_000, Map.of("acknowledge", "commit", "batch.max", "50")),
    SQS_ACKNOWLEDGES_IN_COMMIT_RECORD(3, 20, 500, Map.of("acknowledge", "record", "batch.max", "100")),
    IBM_MQ_AWAITS_ITS_BATCH(1, 20, 300, Map.of("acknowledge", "record", "await.batch.ms", "9223372036854775")),
    IBM_MQ_AWAITS_ITS_BATCH_BOUNDED(1, 20, 300, Map.of("acknowledge", "record", "await.batch.ms", "2000")),
    JMS_PREFETCH_AND_BLOCKING_TAKE(
            1, 20, 300, Map.of("acknowledge", "record", "prefetch", "32", "poll.blocks", "true")),
    BLOCKS_IN_POLL_UNTIL_CLOSED(1, 20, 300, Map.of("poll.blocks", "true")),
    ONE_RECORD_A_POLL(1, 4, 40, Map.of("batch.max", "1")),
    FIFTY_THOUSAND_A_POLL(1, 200, 120_000, Map.of("batch.max", "50000", "prefetch", "150000")),
    RETRIABLE_AND_EMPTY_POLLS(2, 20, 300, Map.of("disturbed", "true")),
    OWN_TRANSACTION_BOUNDARIES(1, 20, 300, Map.of("boundary.every", "25")),
    EVERY_SHAPE_OF_RECORD(1, 21, 300, Map.of("acknowledge", "record", "every.shape", "true")),
    COMMIT_TAKES_30_SECONDS(1, 20, 300, Map.of("commit.first.ms", "30000")),
    STOP_NEVER_RETURNS(1, 20, 300, Map.of("stop.returns", "false"));

    private static final Duration PATIENCE = Duration.ofSeconds(25);

    private final int tasks;
    private final int perTurn;
    private final int burst;
    private final Map<String, String> settings;

    Family(int tasks, int perTurn, int burst, Map<String, String> settings) {
        this.tasks = tasks;
        this.perTurn = perTurn;
        this.burst = burst;
        this.settings = settings;
    }

    /** As the results list it. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    int tasks() {
        return tasks;
    }

    /** How many messages a queue gets, twice a second. */
    int perTurn() {
        return perTurn;
    }

    /** How many a queue gets at once, shortly before a kill. */
    int burst() {
        return burst;
    }

    /** Settings of the reference connector. */
    Map<String, String> settings() {
        return settings;
    }

    boolean everyShape() {
        return settings.containsKey("every.shape");
    }

    boolean resumesExactly() {
        return !settings.containsKey("acknowledge");
    }

    Duration patience() {
        long commitMs = Long.parseLong(settings.getOrDefault("commit.first.ms", "0"));
        return PATIENCE.plusMillis(commitMs);
    }
}
