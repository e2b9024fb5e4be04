package io.microbatch.bench.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class VerificationTest {

    private static final Row FIRST = new Row(1, 7, 0, 0, "a");
    private static final Row SECOND = new Row(2, 7, 1, 0, "b");
    private static final Row THIRD = new Row(3, 8, 0, 0, "c");

    private final Map<Long, Row> table = Map.of(1L, FIRST, 2L, SECOND, 3L, THIRD);

    @Test
    void acceptsEveryRowOnceInTheOrderOfItsAccount() {
        Verification verification = verify(List.of(record(0, THIRD), record(0, FIRST), record(0, SECOND)));
        assertThat(verification).isEqualTo(new Verification(3, 0, 0, 0, 0));
        assertThat(verification.isVerified()).isTrue();
    }

    @Test
    void refusesAnEmptyTable() {
        assertThat(new Verification.Tally(Map.of()).result().isVerified()).isFalse();
    }

    @Test
    void countsAMissingTailAsLost() {
        assertRefused(verify(List.of(record(0, FIRST), record(0, THIRD))), new Verification(3, 1, 0, 0, 0));
    }

    @Test
    void countsARepeatedRowAsDuplicated() {
        Verification verification =
                verify(List.of(record(0, FIRST), record(0, SECOND), record(0, FIRST), record(1, THIRD)));
        assertRefused(verification, new Verification(3, 0, 1, 0, 0));
    }

    @Test
    void countsAnOlderRowBehindAYoungerOneAsReordered() {
        Verification verification = verify(List.of(record(0, SECOND), record(0, FIRST), record(0, THIRD)));
        assertRefused(verification, new Verification(3, 0, 0, 1, 0));
    }

    @Test
    void countsAnAlteredRowAsForeignAndTheRealOneAsLost() {
        Row altered = new Row(2, 7, 1, 0, "B");
        Verification verification = verify(List.of(record(0, FIRST), record(0, altered), record(0, THIRD)));
        assertRefused(verification, new Verification(3, 1, 0, 0, 1));
    }

    @Test
    void countsARowThatTheTableDoesNotHaveAsForeign() {
        Row phantom = new Row(9, 7, 2, 0, "z");
        Verification verification =
                verify(List.of(record(0, FIRST), record(0, SECOND), record(0, THIRD), record(0, phantom)));
        assertRefused(verification, new Verification(3, 0, 0, 0, 1));
    }

    @Test
    void countsAnAccountInTwoPartitionsAsForeign() {
        assertThat(verify(List.of(record(0, FIRST), record(1, SECOND), record(0, THIRD)))
                        .foreign())
                .isEqualTo(1);
    }

    @Test
    void countsARecordUnderAnotherAccountsKeyAsForeign() {
        ConsumerRecord<byte[], byte[]> misplaced = record(0, bytes("{\"account\":8}"), value(FIRST));
        assertThat(verify(List.of(misplaced, record(0, SECOND), record(0, THIRD)))
                        .foreign())
                .isEqualTo(1);
    }

    @Test
    void countsWhatIsNoInsertAsForeign() {
        ConsumerRecord<byte[], byte[]> tombstone = record(0, bytes("{\"account\":7}"), null);
        ConsumerRecord<byte[], byte[]> broken = record(0, bytes("{\"account\":7}"), bytes("{"));
        ConsumerRecord<byte[], byte[]> delete =
                record(0, bytes("{\"account\":7}"), bytes("{\"after\":null,\"source\":{\"ts_us\":1},\"op\":\"d\"}"));
        assertThat(verify(List.of(tombstone, broken, delete)).foreign()).isEqualTo(3);
    }

    private static void assertRefused(Verification actual, Verification expected) {
        assertThat(actual).isEqualTo(expected);
        assertThat(actual.isVerified()).isFalse();
    }

    private Verification verify(List<ConsumerRecord<byte[], byte[]>> records) {
        Verification.Tally tally = new Verification.Tally(table);
        records.forEach(tally::take);
        return tally.result();
    }

    private static ConsumerRecord<byte[], byte[]> record(int partition, Row row) {
        return record(partition, bytes("{\"account\":" + row.account() + "}"), value(row));
    }

    private static ConsumerRecord<byte[], byte[]> record(int partition, byte[] key, byte[] value) {
        return new ConsumerRecord<>("events", partition, 0, key, value);
    }

    private static byte[] value(Row row) {
        return bytes(String.format(
                "{\"before\":null,\"after\":{\"id\":%d,\"account\":%d,\"seq\":%d,\"phase\":%d,\"payload\":\"%s\"},"
                        + "\"source\":{\"ts_us\":1,\"lsn\":2},\"op\":\"c\",\"ts_ms\":3}",
                row.id(), row.account(), row.seq(), row.phase(), row.payload()));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
