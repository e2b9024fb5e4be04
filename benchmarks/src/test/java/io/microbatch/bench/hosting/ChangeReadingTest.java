package io.microbatch.bench.hosting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A row is inserted, changed, moved to another key and deleted. Another table is truncated; a third is read again. */
class ChangeReadingTest {

    private static final String SIGN = "sign";

    private static final List<List<String>> TRUTH = List.of(
            List.of("row a", "row b", "deleted b", "tombstone 1", "row c", "deleted c", "tombstone 2", "row z"),
            List.of("row d", "truncated after d", "row e"),
            List.of("row f"),
            List.of("row f"));

    private static final Map<String, Map<Long, String>> ROWS =
            Map.of("orders", Map.of(9L, "z"), "scratch", Map.of(2L, "e"), "ledger", Map.of(1L, "f"));

    /** Each a table, a key and a value. */
    private final List<String[]> records = new ArrayList<>();

    @BeforeEach
    void bringEverything() {
        bring("orders", 1, change("c", null, "a"));
        bring("orders", 1, change("u", "a", "b"));
        bring("orders", 1, change("d", "b", null));
        bring("orders", 1, null);
        bring("orders", 2, change("c", null, "c"));
        bring("orders", 2, change("d", "c", null));
        bring("orders", 2, null);
        bring("orders", 9, change("c", null, "z"));
        bring("scratch", 1, change("c", null, "d"));
        records.add(new String[] {"scratch", null, change("t", null, null)});
        bring("scratch", 2, change("c", null, "e"));
        bring("ledger", 1, change("r", null, "f"));
        bring("ledger", 1, incremental("f"));
    }

    private void bring(String table, long id, String value) {
        records.add(new String[] {table, "{\"id\":" + id + "}", value});
    }

    private static String change(String op, String before, String after) {
        return "{\"op\":\"" + op + "\",\"before\":" + image(before) + ",\"after\":" + image(after)
                + ",\"source\":{\"snapshot\":\"false\"}}";
    }

    private static String incremental(String after) {
        return change("r", null, after).replace("false", "incremental");
    }

    private static String image(String note) {
        return note == null ? "null" : "{\"note\":\"" + note + "\"}";
    }

    private Delivered read() {
        ChangeReading reading = new ChangeReading(1, TRUTH, List.of(SIGN));
        for (String[] each : records) {
            int stream = List.of("orders", "scratch", "ledger").indexOf(each[0]);
            reading.saw(each[0], stream, Records.record(each[1], each[2]));
        }
        reading.sawSign(Records.record(null, "{}"), SIGN);
        reading.sawSign(Records.record(null, "{}"), SIGN);
        return reading.against(ROWS);
    }

    @Test
    void findsNothingWhereNothingIsWrong() {
        Delivered delivered = read();
        assertThat(delivered.findings().isExactlyOnce()).isTrue();
        assertThat(delivered.findings().events()).isEqualTo(14);
        assertThat(delivered.altered()).isZero();
    }

    @Test
    void findsALostTombstone() {
        records.remove(3);
        assertThat(read().findings().lost()).isEqualTo(1);
    }

    @Test
    void findsALostTruncate() {
        records.remove(9);
        Delivered delivered = read();
        assertThat(delivered.findings().lost()).isEqualTo(1);
        assertThat(delivered.altered()).as("a row that the table does not have").isEqualTo(1);
    }

    @Test
    void findsALostRowOfAnIncrementalSnapshotAndAllowsThatItComesAgain() {
        bring("ledger", 1, incremental("f"));
        assertThat(read().findings().isExactlyOnce()).isTrue();
        records.removeIf(each -> each[2] != null && each[2].contains("incremental"));
        assertThat(read().findings().lost()).isEqualTo(1);
    }

    @Test
    void findsADuplicate() {
        records.add(1, records.get(0));
        assertThat(read().findings().duplicated()).isEqualTo(1);
    }

    @Test
    void findsTwoThatChangedPlaces() {
        records.add(1, records.remove(0));
        assertThat(read().findings().reordered()).isEqualTo(1);
        // What is last by key is then another row.
        records.add(records.remove(0));
        assertThat(read().altered()).isPositive();
    }

    @Test
    void findsARowThatIsNotWhatWasWritten() {
        records.get(7)[2] = change("c", null, "y");
        Delivered delivered = read();
        assertThat(delivered.findings().corrupt()).isEqualTo(1);
        assertThat(delivered.findings().lost()).isEqualTo(1);
        assertThat(delivered.altered())
                .as("the event, and the row that follows from it")
                .isEqualTo(2);
    }

    @Test
    void findsASignThatIsNotThere() {
        ChangeReading reading = new ChangeReading(1, List.of(), List.of(SIGN, "another"));
        reading.sawSign(Records.record(null, "{}"), SIGN);
        assertThat(reading.against(Map.of()).findings().lost()).isEqualTo(1);
    }

    /** As at-least-once, when a worker was killed behind the row and the log is read again from the truncation on. */
    @Test
    void knowsATruncateThatComesAgainBehindALaterRow() {
        records.get(9)[2] = at(7, change("t", null, null));
        records.add(11, new String[] {"scratch", null, at(7, change("t", null, null))});
        records.add(12, records.get(10));
        Delivered delivered = read();
        assertThat(delivered.findings().corrupt()).isZero();
        assertThat(delivered.findings().duplicated()).isEqualTo(2);
        assertThat(delivered.altered()).isZero();
    }

    @Test
    void findsATruncateThatNobodyMade() {
        records.get(9)[2] = at(7, change("t", null, null));
        records.add(11, new String[] {"scratch", null, at(8, change("t", null, null))});
        records.add(12, records.get(10));
        assertThat(read().findings().corrupt()).isEqualTo(1);
    }

    private static String at(long lsn, String change) {
        return change.replace("\"snapshot\"", "\"lsn\":" + lsn + ",\"snapshot\"");
    }
}
