package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows of an outbox table in bulk records: each once, in order, with its key, and deleted when Kafka has it. */
@ExtendWith(Cluster.Shared.class)
class OutboxBulkIT {

    private static final int FIRST = 3_000;
    private static final int ALL = 4_000;

    private final Cluster cluster;

    OutboxBulkIT(Cluster cluster) {
        this.cluster = cluster;
    }

    private static Map<String, String> bulk(Map<String, String> more) {
        Map<String, String> config = new HashMap<>(more);
        config.put("bulk.enabled", "true");
        config.put("key.converter", Lines.BYTES);
        config.put("value.converter", Lines.BYTES);
        config.put("bulk.inner.key.converter", OutboxFixture.STRING);
        config.put("bulk.inner.value.converter", OutboxFixture.STRING);
        return config;
    }

    /** Ten keys in turns. */
    private static void insert(OutboxFixture outbox, int first, int count) {
        outbox.postgres()
                .execute("INSERT INTO " + outbox.name() + " (id, aggregatetype, aggregateid, type, payload) "
                        + "SELECT gen_random_uuid(), 'orders', 'key ' || i % 10, 'numbered', to_jsonb(i) "
                        + "FROM generate_series(" + first + ", " + (first + count - 1) + ") i ORDER BY i");
    }

    private static List<ConsumerRecord<byte[], byte[]>> events(OutboxFixture outbox) {
        return Unpacking.all(outbox.records());
    }

    private static void awaitEvents(OutboxFixture outbox, int atLeast) {
        Await.until(
                atLeast + " events in " + outbox.topic(),
                OutboxFixture.PATIENCE,
                () -> events(outbox).size() >= atLeast,
                () -> events(outbox).size() + " seen");
    }

    private static void requireAllOnceInOrder(OutboxFixture outbox) {
        List<ConsumerRecord<byte[], byte[]>> events = events(outbox);
        assertThat(events.stream().map(event -> OutboxFixture.text(event.value())))
                .isEqualTo(IntStream.range(0, ALL).mapToObj(Integer::toString).toList());
        assertThat(events)
                .allSatisfy(event -> assertThat(OutboxFixture.text(event.key()))
                        .isEqualTo("key " + Integer.parseInt(OutboxFixture.text(event.value())) % 10));
        assertThat(outbox.records()).as("many events in a record").hasSizeLessThan(ALL / 10);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void packsRowsAndDeletesThem(Mode mode) {
        OutboxFixture outbox = OutboxFixture.of(cluster, "outbox_bulk", mode);
        insert(outbox, 0, FIRST);
        ConnectRest rest = cluster.rest(mode);
        rest.create(outbox.name(), outbox.config(bulk(Map.of())));
        cluster.worker(mode).awaitRunning(outbox.name(), 1);
        awaitEvents(outbox, FIRST);
        insert(outbox, FIRST, ALL - FIRST);
        awaitEvents(outbox, ALL);
        outbox.awaitEmptyTable();
        OutboxFixture.stop(rest, outbox.name());

        requireAllOnceInOrder(outbox);
        rest.delete(outbox.name());
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void continuesBehindTheLastRowOfABulkRecord(Mode mode) {
        OutboxFixture outbox = OutboxFixture.of(cluster, "outbox_bulk_stop", mode);
        insert(outbox, 0, FIRST);
        ConnectRest rest = cluster.rest(mode);
        // Rows stay, so that only the offset tells what was delivered. Records that do not end with a page.
        rest.create(
                outbox.name(),
                outbox.config(bulk(Map.of(
                        "upstream.outbox.after",
                        "keep",
                        "upstream.outbox.page.rows",
                        "700",
                        "bulk.max.bytes",
                        "2000"))));
        cluster.worker(mode).awaitRunning(outbox.name(), 1);
        awaitEvents(outbox, 1_000);
        OutboxFixture.stop(rest, outbox.name());
        insert(outbox, FIRST, ALL - FIRST);
        rest.resume(outbox.name());
        cluster.worker(mode).awaitRunning(outbox.name(), 1);
        awaitEvents(outbox, ALL);
        OutboxFixture.stop(rest, outbox.name());

        requireAllOnceInOrder(outbox);
        assertThat(outbox.rows()).isEqualTo(ALL);
        rest.delete(outbox.name());
    }
}
