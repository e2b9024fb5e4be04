package io.microbatch.bench.outbox.peer;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * One worker of a polling relay: claims a batch of rows by locking them, sends it, deletes it and commits. At least
 * once: what was sent and not deleted at a failure is sent again. A second worker skips the rows that the first one
 * holds. One thread, except for {@link #stop}.
 */
final class Relay {

    private static final String CLAIM = "SELECT seq, id, aggregatetype, aggregateid, payload FROM outboxevent"
            + " ORDER BY seq LIMIT ? FOR UPDATE SKIP LOCKED";
    private static final String DELETE = "DELETE FROM outboxevent WHERE seq = ANY(?)";
    private static final String TOPIC_PREFIX = "outbox.event.";

    private final Connection connection;
    private final Producer<byte[], byte[]> producer;
    private final Sending sending;
    private final int batchRows;
    private final long pollMs;
    private final CountDownLatch stopping = new CountDownLatch(1);

    /**
     * Prepares a worker.
     *
     * @param connection used by this worker only
     * @param batchRows the most rows of a transaction
     * @param pollMs how long it waits after it has found no row
     */
    Relay(Connection connection, Producer<byte[], byte[]> producer, Sending sending, int batchRows, long pollMs) {
        this.connection = connection;
        this.producer = producer;
        this.sending = sending;
        this.batchRows = batchRows;
        this.pollMs = pollMs;
    }

    /** Carries rows until it is stopped. */
    void run() throws SQLException, ExecutionException, InterruptedException {
        connection.setAutoCommit(false);
        try (PreparedStatement claim = connection.prepareStatement(CLAIM);
                PreparedStatement delete = connection.prepareStatement(DELETE)) {
            claim.setInt(1, batchRows);
            boolean stopped = false;
            while (!stopped) {
                boolean isEmpty = !carry(claim, delete);
                stopped = stopping.await(isEmpty ? pollMs : 0, TimeUnit.MILLISECONDS);
            }
        }
    }

    /** The worker ends with its batch. Any thread. */
    void stop() {
        stopping.countDown();
    }

    /** Answers whether there were rows. */
    private boolean carry(PreparedStatement claim, PreparedStatement delete)
            throws SQLException, ExecutionException, InterruptedException {
        List<Long> seqs = new ArrayList<>(batchRows);
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>(batchRows);
        try (ResultSet rows = claim.executeQuery()) {
            while (rows.next()) {
                seqs.add(rows.getLong(1));
                records.add(record(rows));
            }
        }
        if (!records.isEmpty()) {
            sending.send(producer, records);
            delete.setArray(1, connection.createArrayOf("bigint", seqs.toArray()));
            int ignored = delete.executeUpdate();
        }
        connection.commit();
        return !records.isEmpty();
    }

    /** As Debezium's event router and the outbox upstream make it. */
    private static ProducerRecord<byte[], byte[]> record(ResultSet row) throws SQLException {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(TOPIC_PREFIX + row.getString(3), bytes(row.getString(4)), bytes(row.getString(5)));
        record.headers().add("id", bytes(row.getString(2)));
        return record;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
