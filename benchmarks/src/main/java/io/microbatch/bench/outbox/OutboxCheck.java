package io.microbatch.bench.outbox;

import io.microbatch.testbed.TopicReader;
import io.microbatch.testbed.oracle.Findings;
import io.microbatch.testbed.oracle.Oracle;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Compares a topic with what the writers have committed. Each row should be there once, those of an account in the
 * order of their commits. A record whose payload, key or id is not its row's, or that lies in another partition than
 * its account's first one, is corrupt. One thread.
 */
final class OutboxCheck {

    private final int turn;
    private final Oracle oracle;
    private final Map<Integer, Integer> partitions = new HashMap<>();

    /** Expects so many rows of each account. */
    OutboxCheck(int turn, long[] rowsByAccount) {
        this.turn = turn;
        this.oracle = new Oracle(0, rowsByAccount);
    }

    /** What a topic holds. */
    static Findings of(int turn, long[] rowsByAccount, String bootstrapServers) {
        OutboxCheck check = new OutboxCheck(turn, rowsByAccount);
        new TopicReader(bootstrapServers).readCommitted(OutboxTable.topic(turn), check::saw);
        return check.findings();
    }

    /** A record, in the order of its partition. */
    void saw(ConsumerRecord<byte[], byte[]> record) {
        OutboxRow row = OutboxRow.parse(record.value()).orElse(null);
        if (row == null || !isWhole(row, record)) {
            oracle.sawCorrupt();
        } else {
            oracle.saw(row.account(), row.seq());
        }
    }

    Findings findings() {
        return oracle.findings();
    }

    private boolean isWhole(OutboxRow row, ConsumerRecord<byte[], byte[]> record) {
        Header id = record.headers().lastHeader("id");
        // Kafka promises an order within a partition: an account in two of them has none.
        Integer partition = partitions.putIfAbsent(row.account(), record.partition());
        return Arrays.equals(bytes(row.payload()), record.value())
                && Arrays.equals(bytes(row.key()), record.key())
                && id != null
                && Arrays.equals(bytes(row.id(turn).toString()), id.value())
                && (partition == null || partition == record.partition());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
