package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.JmxReader;
import io.microbatch.testbed.Topics;
import io.microbatch.testbed.failpoint.Failpoint;
import io.microbatch.testbed.failpoint.FailpointAction;
import io.microbatch.testbed.failpoint.FailpointControl;
import io.microbatch.testbed.reference.QueueServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A hosted task defines its own transactions ({@code transaction.boundary=connector}) and aborts some of them. A
 * transaction's marker takes an offset of the topic. So the offsets that a consumer of committed records does not get
 * show where transactions ended.
 */
@ExtendWith(Cluster.Shared.class)
class ConnectorBoundaryIT {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** The messages of a transaction. */
    private static final int SIZE = 7;

    /** The records of a batch. They differ from a transaction's, so that transactions also end within batches. */
    private static final int BATCH_RECORDS = 10;

    /** Of this many transactions the last one is aborted. */
    private static final int ABORT_EVERY = 3;

    /** The last transaction is not aborted, so that its records show that all earlier ones have ended. */
    private static final int TRANSACTIONS = 31;

    private static final int MESSAGES = TRANSACTIONS * SIZE;

    /** The transactions that are put before each pause. */
    private static final int MANY_TRANSACTIONS = 700;

    private static final int PAUSES = 3;

    /** The number of the commit at which the worker is halted. Each way needs at least one commit a transaction. */
    private static final int HALTED_COMMIT = 40;

    private final Cluster cluster;
    private final QueueServer queues = QueueServer.start();

    ConnectorBoundaryIT(Cluster cluster) {
        this.cluster = cluster;
    }

    /** How the hosted task requests the end of a transaction. */
    enum Way {
        /** With the last record of the transaction, of which a poll returns any part. */
        RECORD,
        /** For the batch that is the transaction. */
        BATCH,
        /** For an empty batch after the one that is the transaction. */
        EMPTY_POLL;

        String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @AfterEach
    void close() {
        queues.close();
    }

    @ParameterizedTest
    @EnumSource
    void endsTransactionsExactlyWhereTheHostedTaskRequestsIt(Way way) {
        // Ahead, so that events of later transactions are buffered when a boundary is passed on.
        endsTransactions(way, "always");
        endsTransactions(way, "auto");
    }

    private void endsTransactions(Way way, String pollAhead) {
        String name = "boundary-" + way.text() + "-" + pollAhead;
        createTopic(name);
        put(name);
        ConnectRest rest = cluster.rest(Mode.EXACTLY_ONCE);
        Map<String, String> config = config(name, way);
        config.put("upstream.poll.ahead", pollAhead);
        // A commit sends what waits, and an abort discards it. Connect never acknowledges such a record.
        config.put("producer.override.linger.ms", "60000");
        rest.create(name, config);
        awaitLastOffset(rest, name);
        Await.until(
                "no event that waits for an acknowledgement",
                PATIENCE,
                () -> ledgerDepth(name) == 0,
                () -> ledgerDepth(name) + " events");

        List<ConsumerRecord<byte[], byte[]>> records = recordsAfterTheEnd(rest, name);

        assertThat(messages(records)).isEqualTo(unabortedMessages());
        Map<String, Long> skipped = skippedOffsets(records);
        assertThat(skipped.keySet()).containsExactlyElementsOf(lastMessages());
        skipped.forEach((message, offsets) -> assertThat(offsets)
                .as("offsets without a committed record after %s", message)
                .isBetween(1L, longestGap(message)));
        rest.delete(name);
    }

    /** The halt leaves transactions open. Consumers get their records from the transactions after the restart only. */
    @Test
    void deliversEveryUnabortedRecordOnceAcrossAHaltOfTheWorker() {
        String group = "boundary-halted";
        FailpointControl failpoints = cluster.failpoints(group);
        try (ConnectWorker worker = cluster.workerWith(failpoints, group)) {
            failpoints.arm(Failpoint.BEFORE_TRANSACTION_COMMIT, FailpointAction.HALT, HALTED_COMMIT);
            // There is nothing to commit before there are messages, so that all connectors exist at the halt.
            for (Way way : Way.values()) {
                String name = halted(way);
                createTopic(name);
                worker.rest().create(name, config(name, way));
            }
            for (Way way : Way.values()) {
                put(halted(way));
            }
            cluster.awaitHalt(worker, failpoints);
            worker.restart();

            for (Way way : Way.values()) {
                List<ConsumerRecord<byte[], byte[]>> records = recordsAfterTheEnd(worker.rest(), halted(way));
                assertThat(messages(records)).as("messages by %s", way).isEqualTo(unabortedMessages());
                assertThat(skippedOffsets(records).keySet())
                        .as("ends of transactions by %s", way)
                        .containsExactlyElementsOf(lastMessages());
            }
        }
    }

    /**
     * A pause under load meets batches of {@value #BATCH_RECORDS} records and polls of {@value #SIZE}. A transaction
     * that stays open is aborted by the broker, which fences the producer, so that the task fails when it is resumed.
     */
    @Test
    void leavesNoTransactionOpenInAPauseIfPollsEndWithTransactions() {
        String name = "boundary-paused";
        ConnectRest rest = cluster.rest(Mode.EXACTLY_ONCE);
        Map<String, String> config = config(name, Way.BATCH);
        config.put("upstream.poll.ahead", "always");
        config.put("upstream.connector.abort.every", "0");
        // Not shorter, because a machine that stands still for as long would fail the task, too.
        config.put("producer.override.transaction.timeout.ms", "10000");
        createTopic(name);
        rest.create(name, config);
        int messages = 0;
        long committed = -1;
        for (int pauses = 0; pauses < PAUSES; ) {
            put(name, messages, MANY_TRANSACTIONS * SIZE);
            messages += MANY_TRANSACTIONS * SIZE;
            committed = awaitOffsetAfter(committed, rest, name);
            rest.pause(name);
            rest.awaitState(name, "PAUSED");
            // An open transaction ends only when the broker aborts it.
            cluster.reader().awaitStable(name, PATIENCE);
            committed = committedId(rest, name);
            // A pause after the last message meets no load.
            pauses += committed < messages - 1 ? 1 : 0;
            rest.resume(name);
            rest.awaitRunning(name, 1);
        }
        awaitOffset(messages - 1, rest, name);
        rest.stop(name);
        rest.awaitState(name, "STOPPED");
        cluster.reader().awaitStable(name, PATIENCE);
        assertThat(messages(cluster.reader().readCommitted(name)))
                .isEqualTo(IntStream.range(0, messages)
                        .mapToObj(ConnectorBoundaryIT::message)
                        .toList());
        rest.delete(name);
    }

    private static long awaitOffsetAfter(long committed, ConnectRest rest, String name) {
        Await.until(
                "an offset of " + name + " after " + committed,
                PATIENCE,
                () -> {
                    assertThat(rest.status(name).hasFailed())
                            .as("failed: %s", rest.status(name))
                            .isFalse();
                    return committedId(rest, name) > committed;
                },
                () -> rest.offsets(name) + ", " + rest.status(name));
        return committedId(rest, name);
    }

    /** The message of the committed offset, or -1. */
    private static long committedId(ConnectRest rest, String name) {
        return rest.offsets(name).findValuesAsText("id").stream()
                .mapToLong(Long::parseLong)
                .max()
                .orElse(-1);
    }

    private static String halted(Way way) {
        return "boundary-halted-" + way.text();
    }

    /** With one partition, whose offsets follow the order of the transactions. */
    private void createTopic(String name) {
        new Topics(cluster.bootstrapServers()).create(List.of(name), 1);
    }

    private void put(String name) {
        put(name, 0, MESSAGES);
    }

    private void put(String name, int from, int messages) {
        for (int i = from; i < from + messages; i++) {
            queues.put(name + "-0", message(i));
        }
    }

    private Map<String, String> config(String name, Way way) {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", Cluster.CONNECTOR);
        config.put("tasks.max", "1");
        config.put("transaction.boundary", "connector");
        config.put("upstream.connector.class", "io.microbatch.testbed.reference.ReferenceConnector");
        config.put("upstream.connector.queue.address", queues.address());
        config.put("upstream.connector.queue.name", name);
        config.put("upstream.connector.topic", name);
        config.put("upstream.connector.boundary.every", Integer.toString(SIZE));
        config.put("upstream.connector.boundary.at", way.text());
        config.put("upstream.connector.abort.every", Integer.toString(ABORT_EVERY));
        config.put("calibration.directory", cluster.calibrationDirectory().toString());
        config.put("key.converter", Lines.STRING);
        config.put("value.converter", Lines.STRING);
        config.put("batch.mode", "fixed");
        config.put("batch.max.records", Integer.toString(BATCH_RECORDS));
        config.put("batch.linger.ms", "5");
        return config;
    }

    private double ledgerDepth(String name) {
        String pattern = "kafka.connect:type=plugins,connector=" + JmxReader.tag(name) + ",*";
        return cluster.worker(Mode.EXACTLY_ONCE)
                .jmx()
                .number(pattern, "ledger-depth")
                .orElse(Double.NaN);
    }

    private static void awaitLastOffset(ConnectRest rest, String name) {
        awaitOffset(MESSAGES - 1, rest, name);
    }

    private static void awaitOffset(int id, ConnectRest rest, String name) {
        String last = Integer.toString(id);
        Await.until(
                "the offset of the last message of " + name,
                PATIENCE,
                () -> rest.offsets(name).findValuesAsText("id").contains(last),
                () -> rest.offsets(name) + ", " + rest.status(name));
    }

    /** All committed records, when Connect has committed the last offset and the task has stopped. */
    private List<ConsumerRecord<byte[], byte[]>> recordsAfterTheEnd(ConnectRest rest, String name) {
        awaitLastOffset(rest, name);
        rest.stop(name);
        rest.awaitState(name, "STOPPED");
        cluster.reader().awaitStable(name, PATIENCE);
        return cluster.reader().readCommitted(name);
    }

    private static String message(int number) {
        return "m" + number;
    }

    private static int transactionOf(String message) {
        return Integer.parseInt(message.substring(1)) / SIZE;
    }

    private static boolean isAborted(int transaction) {
        return transaction % ABORT_EVERY == ABORT_EVERY - 1;
    }

    private static List<String> unabortedMessages() {
        return IntStream.range(0, MESSAGES)
                .filter(number -> !isAborted(number / SIZE))
                .mapToObj(ConnectorBoundaryIT::message)
                .toList();
    }

    /** The last message of each transaction that is not aborted, except the last one, after which none follows. */
    private static List<String> lastMessages() {
        return IntStream.range(0, TRANSACTIONS - 1)
                .filter(transaction -> !isAborted(transaction))
                .mapToObj(transaction -> message(transaction * SIZE + SIZE - 1))
                .toList();
    }

    private static String messageOf(ConsumerRecord<byte[], byte[]> record) {
        return new String(record.value(), StandardCharsets.UTF_8);
    }

    private static List<String> messages(List<ConsumerRecord<byte[], byte[]>> records) {
        return records.stream().map(ConnectorBoundaryIT::messageOf).toList();
    }

    /**
     * The messages whose record is not followed by one with the next offset, in the order of the topic, and the number
     * of offsets between.
     */
    private static Map<String, Long> skippedOffsets(List<ConsumerRecord<byte[], byte[]>> records) {
        Map<String, Long> skipped = new LinkedHashMap<>();
        for (int i = 1; i < records.size(); i++) {
            ConsumerRecord<byte[], byte[]> before = records.get(i - 1);
            long offsets = records.get(i).offset() - before.offset() - 1;
            if (offsets != 0) {
                skipped.put(messageOf(before), offsets);
            }
        }
        return skipped;
    }

    /**
     * The marker of the commit after this message. If an aborted transaction follows, its records and its marker too.
     * The producer drops the records that it has not sent yet when the task aborts, so there may be fewer.
     */
    private static long longestGap(String message) {
        long commitMarker = 1;
        return isAborted(transactionOf(message) + 1) ? commitMarker + SIZE + 1 : commitMarker;
    }
}
