package io.microbatch.bench.cdc;

import io.microbatch.testbed.TopicReader;
import io.microbatch.testbed.oracle.Findings;
import io.microbatch.testbed.oracle.Oracle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Compares a table with the topic that should hold each of its rows once, those of an account in the order of their
 * commits. What differs from its row in any column, has another account in its key, or lies in another partition than
 * the account's first row, is corrupt; a row that the table does not have, too. One thread.
 */
final class TableCheck {

    private final Map<Long, TableRow> table;
    /** Of each row the account's lane and the row's place in it. */
    private final Map<Long, int[]> places = new HashMap<>();

    private final Map<Integer, Integer> partitions = new HashMap<>();
    private final Oracle oracle;

    TableCheck(Map<Long, TableRow> table) {
        this.table = table;
        List<TableRow> rows = new ArrayList<>(table.values());
        rows.sort(Comparator.comparingInt(TableRow::account).thenComparingLong(TableRow::seq));
        Map<Integer, int[]> next = new HashMap<>();
        List<int[]> lanes = new ArrayList<>();
        for (TableRow row : rows) {
            int[] lane = next.computeIfAbsent(row.account(), account -> {
                lanes.add(new int[] {lanes.size(), 0});
                return lanes.get(lanes.size() - 1);
            });
            int[] ignored = places.put(row.id(), new int[] {lane[0], lane[1]++});
        }
        oracle = new Oracle(0, lanes.stream().mapToLong(lane -> lane[1]).toArray());
    }

    /** What a topic holds of a table. */
    static Findings of(Map<Long, TableRow> table, String bootstrapServers, String topic) {
        TableCheck check = new TableCheck(table);
        new TopicReader(bootstrapServers).readCommitted(topic, check::saw);
        return check.findings();
    }

    /** Whether there were rows, and all arrived as they should. */
    static boolean isVerified(Findings found) {
        return found.events() > 0 && found.isExactlyOnce();
    }

    /** A record, in the order of its partition. */
    void saw(ConsumerRecord<byte[], byte[]> record) {
        TableRow row = ChangeEvent.parse(record.value()).map(ChangeEvent::after).orElse(null);
        if (row == null || !row.equals(table.get(row.id())) || !isAtHome(row, record)) {
            oracle.sawCorrupt();
        } else {
            int[] place = places.get(row.id());
            oracle.saw(place[0], place[1]);
        }
    }

    Findings findings() {
        return oracle.findings();
    }

    // Kafka promises an order within a partition: an account in two of them has none.
    private boolean isAtHome(TableRow row, ConsumerRecord<byte[], byte[]> record) {
        Integer partition = partitions.putIfAbsent(row.account(), record.partition());
        return ChangeEvent.keyAccount(record.key()) == row.account()
                && (partition == null || partition == record.partition());
    }
}
