package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.FaultProxy;
import io.microbatch.testbed.PostgresServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A standby that has not received all of the primary's log takes over while services write. Rows that it never got are
 * in Kafka already, and the ids of their transactions are given to others. Deletes that it never got leave rows in the
 * table that were delivered.
 */
@ExtendWith(Cluster.Shared.class)
@Tag("processes")
class OutboxFailoverIT {

    /** Transactions that each part of the story has, at least. */
    private static final int SOME = 100;

    /** More transactions than the writers begin between two statements of the test. */
    private static final int MANY = 20_000;

    private final Cluster cluster;
    private final FaultProxy replication = FaultProxy.listen();
    private final FaultProxy toPrimary = FaultProxy.listen();
    private final FaultProxy toStandby = FaultProxy.listen();

    OutboxFailoverIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void deliversWhatTheNewPrimaryHasAndRepeatsWhatWasNotDeleted(Mode mode) {
        String name = "outbox_standby_" + mode.suffix().replace('-', '_');
        Path directory = cluster.directory().resolve(name);
        try (replication;
                toPrimary;
                toStandby;
                PostgresServer primary = PostgresServer.start(directory)) {
            OutboxFixture outbox = OutboxFixture.of(cluster, primary, name);
            OutboxWriters.prepare(primary);
            replication.forwardTo(primary.port());
            toPrimary.forwardTo(primary.port());
            ConnectRest rest = cluster.rest(mode);
            String hosts = toPrimary.address() + "," + toStandby.address();
            try (PostgresServer standby = primary.standby(directory, replication.port());
                    OutboxWriters writers = new OutboxWriters(outbox, primary, standby)) {
                rest.create(
                        name,
                        outbox.config(Map.of(
                                "upstream.outbox.jdbc.url", "jdbc:postgresql://" + hosts + "/" + primary.database())));
                cluster.worker(mode).awaitRunning(name, 1);
                writers.begin();
                cutOffTheStandby(outbox, standby, rest);
                long begunBefore = begun(primary);
                primary.kill();
                standby.execute("SELECT pg_promote()");
                giveTheIdsToOthers(standby, begunBefore);

                Set<String> inKafka = new HashSet<>(outbox.values());
                Set<String> inTable = new HashSet<>(outbox.on(standby).payloads());
                toStandby.forwardTo(standby.port());
                int written = OutboxWriters.truth(standby).size();
                awaitTruth(standby, written + SOME);
                writers.end();
                List<String> truth = OutboxWriters.truth(standby);
                awaitInKafka(outbox, truth);
                outbox.on(standby).awaitEmptyTable();
                OutboxFixture.stop(rest, name);

                // Nobody reads from it or writes to it any more.
                primary.restart();
                Set<String> ofPrimary = new HashSet<>(OutboxWriters.truth(primary));
                requireDelivered(outbox.values(), truth, ofPrimary);
                requireRepeated(outbox.values(), inKafka, inTable, ofPrimary, mode);
                assertThat(cluster.worker(mode).logLines())
                        .filteredOn(line -> line.contains("are taken for new") && line.contains("." + name + " "))
                        .hasSize(1);
                rest.delete(name);
            }
        }
    }

    /** Then Kafka has rows that the standby does not have, and rows that the standby has not seen deleted. */
    private void cutOffTheStandby(OutboxFixture outbox, PostgresServer standby, ConnectRest rest) {
        Await.until(
                "events of " + SOME + " transactions",
                OutboxFixture.PATIENCE,
                () -> new HashSet<>(outbox.values()).size() >= SOME,
                () -> "fewer");
        rest.pause(outbox.name());
        rest.awaitState(outbox.name(), "PAUSED");
        Await.until(
                "rows on the standby",
                OutboxFixture.PATIENCE,
                () -> outbox.on(standby).rows() >= SOME,
                () -> outbox.on(standby).rows() + " rows");
        replication.mode(FaultProxy.Mode.BLACK_HOLE);
        rest.resume(outbox.name());
        awaitInKafka(outbox, outbox.on(standby).payloads());
        Await.until(
                "events of which the standby does not know",
                OutboxFixture.PATIENCE,
                () -> {
                    Set<String> unknown = new HashSet<>(outbox.values());
                    unknown.removeAll(OutboxWriters.truth(standby));
                    return unknown.size() >= SOME;
                },
                () -> "fewer than " + SOME);
    }

    /**
     * Lets the new primary begin as many transactions as the old one and more, before the connector sees it. So the
     * timeline alone tells the connector that they are others.
     */
    private static void giveTheIdsToOthers(PostgresServer promoted, long begunBefore) {
        awaitTruth(promoted, OutboxWriters.truth(promoted).size() + SOME);
        long missing = Math.max(0, begunBefore - begun(promoted)) + MANY;
        promoted.execute("DO $$ BEGIN FOR i IN 1.." + missing + " LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; "
                + "END $$");
        assertThat(begun(promoted)).isGreaterThan(begunBefore);
    }

    /** The first transaction that has not begun. */
    private static long begun(PostgresServer postgres) {
        List<Long> found = new ArrayList<>();
        postgres.query(
                "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint", row -> found.add(row.getLong(1)));
        return found.get(0);
    }

    private static void awaitTruth(PostgresServer postgres, int atLeast) {
        Await.until(
                atLeast + " transactions",
                OutboxFixture.PATIENCE,
                () -> OutboxWriters.truth(postgres).size() >= atLeast,
                () -> OutboxWriters.truth(postgres).size() + " seen");
    }

    private static void awaitInKafka(OutboxFixture outbox, Collection<String> payloads) {
        Await.until(
                payloads.size() + " events",
                OutboxFixture.PATIENCE,
                () -> new HashSet<>(outbox.values()).containsAll(payloads),
                () -> {
                    Set<String> missing = new HashSet<>(payloads);
                    missing.removeAll(outbox.values());
                    return missing.size() + " are missing, such as "
                            + missing.stream().limit(3).toList();
                });
    }

    private static void requireDelivered(List<String> values, List<String> truth, Set<String> ofPrimary) {
        Set<String> known = new HashSet<>(truth);
        List<String> firsts =
                new LinkedHashSet<>(values).stream().filter(known::contains).toList();
        assertThat(byKey(firsts)).isEqualTo(byKey(truth));
        known.addAll(ofPrimary);
        assertThat(values).as("committed by one of the two").isSubsetOf(known);
    }

    private static Map<String, List<String>> byKey(List<String> payloads) {
        return payloads.stream().collect(Collectors.groupingBy(OutboxWriters::key));
    }

    /**
     * A row is delivered twice if Kafka had it, and the new primary had it in the table. One that was on its way to
     * Kafka meanwhile may be.
     */
    private static void requireRepeated(
            List<String> values, Set<String> inKafka, Set<String> inTable, Set<String> ofPrimary, Mode mode) {
        Map<String, Integer> times = new HashMap<>();
        values.forEach(value -> times.merge(value, 1, Integer::sum));
        Set<String> repeated = new HashSet<>(inTable);
        repeated.retainAll(inKafka);
        assertThat(repeated).as("delivered and not deleted").isNotEmpty();
        repeated.forEach(value -> assertThat(times.get(value)).as(value).isGreaterThanOrEqualTo(2));
        if (mode == Mode.EXACTLY_ONCE) {
            Set<String> mayBe = new HashSet<>(inTable);
            mayBe.retainAll(ofPrimary);
            times.forEach(
                    (value, count) -> assertThat(count).as(value).isLessThanOrEqualTo(mayBe.contains(value) ? 2 : 1));
        }
    }
}
