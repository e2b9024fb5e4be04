package io.microbatch.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.faults.OutboxResult.Transactions;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.FaultProxy;
import io.microbatch.testbed.PostgresServer;
import io.microbatch.testbed.WorkDirectory;
import io.microbatch.testbed.oracle.Event;
import io.microbatch.testbed.oracle.EventText;
import io.microbatch.testbed.oracle.Findings;
import io.microbatch.testbed.oracle.Oracle;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The outbox of {@code bench faults} on a real database, read by this test in place of the connector: the check accepts
 * what was committed in its order, and finds each thing that a wrong reader does.
 */
class OutboxWritersIT {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int ENOUGH_ROWS = 200;

    private static WorkDirectory work;
    private static PostgresServer postgres;
    private static FaultProxy proxy;

    @BeforeAll
    static void start() {
        work = WorkDirectory.create("outbox-writers-it");
        postgres = PostgresServer.start(work.path(), OutboxFeed.SERVER);
        proxy = FaultProxy.listen();
    }

    @AfterAll
    static void stop() {
        proxy.close();
        postgres.close();
        work.close();
    }

    @Test
    void everythingIsThereInOrderAfterAllKindsOfTransactionsAndAKillOfTheDatabase() {
        try (OutboxFeed feed = new OutboxFeed("outbox-right", 7, postgres, proxy)) {
            feed.begin();
            awaitEveryKind(feed);
            postgres.kill();
            postgres.restart();
            Transactions before = transactions(feed);
            Await.until(
                    "transactions after the kill",
                    PATIENCE,
                    () -> transactions(feed).committed() > before.committed() + ENOUGH_ROWS
                            && transactions(feed).prepared() > before.prepared(),
                    () -> transactions(feed).toString());
            feed.seal(new long[0]);
            List<String> rows = rowsAbove(feed, 0);

            OutboxResult result = check(feed, rows);
            assertThat(result).isEqualTo(new OutboxResult(0, 0, 0, 0, rows.size(), transactions(feed)));
            assertThat(result.transactions().cut()).isPositive();
            assertThat(Arrays.copyOf(feed.truth(), OutboxWriters.STEADY_KEYS)).doesNotContain(0);

            // What a reader may do wrong, row by row.
            List<String> swapped = new ArrayList<>(rows);
            Collections.reverse(swapped);
            assertThat(check(feed, swapped).inversions()).isPositive();
            List<String> repeated = new ArrayList<>(rows);
            repeated.add(rows.get(0));
            assertThat(check(feed, repeated).repeated()).isEqualTo(1);
            assertThat(check(feed, rows.subList(1, rows.size())).missed()).isEqualTo(1);
            List<String> dirty = new ArrayList<>(rows);
            dirty.add(EventText.of(new Event(-feed.run, 0, 0, 1)));
            assertThat(check(feed, dirty).rolledBackPresent()).isEqualTo(1);
        }
    }

    private static void awaitEveryKind(OutboxFeed feed) {
        Await.until(
                "every kind of transaction",
                PATIENCE,
                () -> {
                    Transactions now = transactions(feed);
                    return now.committed() > ENOUGH_ROWS
                            && now.rolledBack() > 0
                            && now.prepared() > 0
                            && now.late() > 0;
                },
                () -> transactions(feed).toString());
    }

    /** A planted error: numbers are taken in one order and committed in another. */
    @Test
    void aReaderOfNumbersAboveTheLastMissesRows() {
        try (OutboxFeed feed = new OutboxFeed("outbox-wrong", 8, postgres, proxy)) {
            feed.begin();
            List<String> seen = new ArrayList<>();
            long[] last = new long[1];
            // The transaction that stays open has the first number.
            Await.until(
                    ENOUGH_ROWS + " rows",
                    PATIENCE,
                    () -> {
                        readAbove(feed, last, seen);
                        return seen.size() >= ENOUGH_ROWS;
                    },
                    () -> seen.size() + " seen");
            feed.seal(new long[0]);
            readAbove(feed, last, seen);

            assertThat(check(feed, seen).missed()).isPositive();
        }
    }

    private static void readAbove(OutboxFeed feed, long[] last, List<String> seen) {
        postgres.query(
                "SELECT seq, payload #>> '{}' FROM " + feed.name + " WHERE seq > " + last[0] + " ORDER BY seq", row -> {
                    last[0] = row.getLong(1);
                    seen.add(row.getString(2));
                });
    }

    private static List<String> rowsAbove(OutboxFeed feed, long number) {
        List<String> rows = new ArrayList<>();
        readAbove(feed, new long[] {number}, rows);
        return rows;
    }

    private static Transactions transactions(OutboxFeed feed) {
        return feed.outbox(Findings.NONE).orElseThrow().transactions();
    }

    private static OutboxResult check(OutboxFeed feed, List<String> rows) {
        Oracle oracle = Oracle.timed(feed.run, feed.expected(new long[0]));
        rows.forEach(row -> feed.show(row.getBytes(StandardCharsets.UTF_8), 0, oracle));
        return feed.outbox(oracle.findings()).orElseThrow();
    }
}
