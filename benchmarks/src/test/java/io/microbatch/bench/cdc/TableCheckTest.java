package io.microbatch.bench.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.oracle.Findings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class TableCheckTest {

    private static final TableRow FIRST = new TableRow(1, 7, 0, 0, "a");
    private static final TableRow SECOND = new TableRow(2, 7, 1, 0, "b");
    private static final TableRow THIRD = new TableRow(3, 8, 0, 0, "c");

    private final Map<Long, TableRow> table = Map.of(1L, FIRST, 2L, SECOND, 3L, THIRD);

    @Test
    void acceptsEveryRowOnceInTheOrderOfItsAccount() {
        Findings verification = verify(List.of(record(0, THIRD), record(0, FIRST), record(0, SECOND)));
        assertFound(verification, 0, 0, 0, 0);
        assertThat(TableCheck.isVerified(verification)).isTrue();
    }

    @Test
    void refusesAnEmptyTable() {
        assertThat(TableCheck.isVerified(new TableCheck(Map.of()).findings())).isFalse();
    }

    @Test
    void countsAMissingTailAsLost() {
        assertRefused(verify(List.of(record(0, FIRST), record(0, THIRD))), 1, 0, 0, 0);
    }

    @Test
    void countsARepeatedRowAsDuplicated() {
        Findings verification =
                verify(List.of(record(0, FIRST), record(0, SECOND), record(0, FIRST), record(1, THIRD)));
        assertRefused(verification, 0, 1, 0, 0);
    }

    @Test
    void countsAnOlderRowBehindAYoungerOneAsReordered() {
        Findings verification = verify(List.of(record(0, SECOND), record(0, FIRST), record(0, THIRD)));
        assertRefused(verification, 0, 0, 1, 0);
    }

    @Test
    void countsAnAlteredRowAsForeignAndTheRealOneAsLost() {
        TableRow altered = new TableRow(2, 7, 1, 0, "B");
        Findings verification = verify(List.of(record(0, FIRST), record(0, altered), record(0, THIRD)));
        assertRefused(verification, 1, 0, 0, 1);
    }

    @Test
    void countsARowThatTheTableDoesNotHaveAsForeign() {
        TableRow phantom = new TableRow(9, 7, 2, 0, "z");
        Findings verification =
                verify(List.of(record(0, FIRST), record(0, SECOND), record(0, THIRD), record(0, phantom)));
        assertRefused(verification, 0, 0, 0, 1);
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

    private static void assertFound(Findings found, int lost, int duplicated, int reordered, int foreign) {
        assertThat(found.events()).isEqualTo(3);
        assertThat(found.lost()).isEqualTo(lost);
        assertThat(found.duplicated()).isEqualTo(duplicated);
        assertThat(found.reordered()).isEqualTo(reordered);
        assertThat(found.foreign()).isEqualTo(foreign);
    }

    private static void assertRefused(Findings found, int lost, int duplicated, int reordered, int foreign) {
        assertFound(found, lost, duplicated, reordered, foreign);
        assertThat(TableCheck.isVerified(found)).isFalse();
    }

    private Findings verify(List<ConsumerRecord<byte[], byte[]>> records) {
        TableCheck check = new TableCheck(table);
        records.forEach(check::saw);
        return check.findings();
    }

    private static ConsumerRecord<byte[], byte[]> record(int partition, TableRow row) {
        return record(partition, bytes("{\"account\":" + row.account() + "}"), value(row));
    }

    private static ConsumerRecord<byte[], byte[]> record(int partition, byte[] key, byte[] value) {
        return new ConsumerRecord<>("events", partition, 0, key, value);
    }

    private static byte[] value(TableRow row) {
        return bytes(String.format(
                "{\"before\":null,\"after\":{\"id\":%d,\"account\":%d,\"seq\":%d,\"phase\":%d,\"payload\":\"%s\"},"
                        + "\"source\":{\"ts_us\":1,\"lsn\":2},\"op\":\"c\",\"ts_ms\":3}",
                row.id(), row.account(), row.seq(), row.phase(), row.payload()));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
