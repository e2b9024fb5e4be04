package io.microbatch.bench.faults;

import io.microbatch.testbed.oracle.Findings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What became of the rows of an outbox.
 *
 * @param missed committed rows that are not in Kafka
 * @param repeated records beyond the first of their row
 * @param inversions first records of a key that come after one of a later transaction
 * @param rolledBackPresent records of rows that were rolled back
 * @param rows the committed rows
 * @param transactions how the transactions of the writers ended
 */
record OutboxResult(
        long missed, long repeated, long inversions, long rolledBackPresent, long rows, Transactions transactions) {

    private static final OutboxResult NONE = new OutboxResult(0, 0, 0, 0, 0, new Transactions(0, 0, 0, 0, 0));

    /**
     * How many transactions there were.
     *
     * @param committed committed, those of the other kinds included
     * @param rolledBack rolled back, as a whole or to a savepoint
     * @param prepared committed in two phases
     * @param late committed or rolled back up to seconds after their insert
     * @param cut whose end was not answered
     */
    record Transactions(long committed, long rolledBack, long prepared, long late, long cut) {

        private Transactions plus(Transactions other) {
            return new Transactions(
                    committed + other.committed,
                    rolledBack + other.rolledBack,
                    prepared + other.prepared,
                    late + other.late,
                    cut + other.cut);
        }
    }

    /** Of a round whose records were all shown to the oracle. */
    static OutboxResult of(Findings found, Transactions transactions) {
        return new OutboxResult(
                found.lost(), found.duplicated(), found.reordered(), found.phantom(), found.events(), transactions);
    }

    static OutboxResult sum(List<OutboxResult> results) {
        return results.stream().reduce(NONE, OutboxResult::plus);
    }

    private OutboxResult plus(OutboxResult other) {
        return new OutboxResult(
                missed + other.missed,
                repeated + other.repeated,
                inversions + other.inversions,
                rolledBackPresent + other.rolledBackPresent,
                rows + other.rows,
                transactions.plus(other.transactions));
    }

    /** A new map. */
    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("missed", missed);
        json.put("repeated", repeated);
        json.put("inversions", inversions);
        json.put("rolled_back_present", rolledBackPresent);
        json.put("rows", rows);
        json.put("transactions_committed", transactions.committed());
        json.put("transactions_rolled_back", transactions.rolledBack());
        json.put("transactions_prepared", transactions.prepared());
        json.put("transactions_late", transactions.late());
        json.put("transactions_cut", transactions.cut());
        return json;
    }

    @Override
    public String toString() {
        return rows + " rows of " + transactions.committed() + " transactions, " + transactions.rolledBack()
                + " rolled back, " + transactions.prepared() + " prepared, " + transactions.late() + " late, "
                + transactions.cut() + " cut off; missed " + missed + ", repeated " + repeated + ", inversions "
                + inversions + ", rolled back and there " + rolledBackPresent;
    }
}
