package io.microbatch.bench.cdc;

import io.microbatch.testbed.TopicReader;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The comparison of a table with the topic that should hold each of its rows once.
 *
 * @param events rows of the table
 * @param lost rows that the topic does not hold, the youngest included
 * @param duplicated records beyond the first of a row
 * @param reordered rows behind a younger row of the same account
 * @param foreign records that are no row of the table, differ from it in any column, or have another account in their
 *     key, and accounts spread over partitions
 */
record Verification(long events, long lost, long duplicated, long reordered, long foreign) {

    boolean isVerified() {
        return events > 0 && lost == 0 && duplicated == 0 && reordered == 0 && foreign == 0;
    }

    static Verification of(Map<Long, Row> table, String bootstrapServers, String topic) {
        Tally tally = new Tally(table);
        new TopicReader(bootstrapServers).readCommitted(topic, tally::take);
        return tally.result();
    }

    /** Counts while reading, one record at a time, in the order of each partition. */
    static final class Tally {

        private final Map<Long, Row> table;
        private final Set<Long> seen = new HashSet<>();
        private final Map<Integer, Long> lastSeqs = new HashMap<>();
        private final Map<Integer, Integer> partitions = new HashMap<>();
        private long duplicated;
        private long reordered;
        private long foreign;

        Tally(Map<Long, Row> table) {
            this.table = table;
        }

        void take(ConsumerRecord<byte[], byte[]> record) {
            Row row = ChangeEvent.parse(record.value()).map(ChangeEvent::after).orElse(null);
            if (row == null || !row.equals(table.get(row.id())) || !isAtHome(row, record)) {
                foreign++;
            } else if (!seen.add(row.id())) {
                duplicated++;
            } else if (lastSeqs.getOrDefault(row.account(), -1L) > row.seq()) {
                reordered++;
            } else {
                lastSeqs.put(row.account(), row.seq());
            }
        }

        Verification result() {
            return new Verification(table.size(), table.size() - seen.size(), duplicated, reordered, foreign);
        }

        // Kafka promises an order within a partition: an account in two of them has none.
        private boolean isAtHome(Row row, ConsumerRecord<byte[], byte[]> record) {
            Integer partition = partitions.putIfAbsent(row.account(), record.partition());
            return ChangeEvent.keyAccount(record.key()) == row.account()
                    && (partition == null || partition == record.partition());
        }
    }
}
