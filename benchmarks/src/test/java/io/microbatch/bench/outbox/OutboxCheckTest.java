package io.microbatch.bench.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.oracle.Findings;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** Records that are not as they should be, one kind after the other. */
class OutboxCheckTest {

    private static final int TURN = 7;

    /** Two accounts: three rows, and two. */
    private final OutboxCheck check = new OutboxCheck(TURN, new long[] {3, 2});

    private static OutboxRow row(int account, long seq) {
        return new OutboxRow(account, seq, 1, 1_000_000 + seq);
    }

    private void saw(OutboxRow row) {
        saw(row.account(), row.key(), row.payload(), row.id(TURN));
    }

    private void saw(int partition, String key, String payload, UUID id) {
        ConsumerRecord<byte[], byte[]> record =
                new ConsumerRecord<>(OutboxTable.topic(TURN), partition, 0, bytes(key), bytes(payload));
        if (id != null) {
            record.headers().add("id", bytes(id.toString()));
        }
        check.saw(record);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void sawAllBut(OutboxRow missing) {
        for (int account = 0; account < 2; account++) {
            for (long seq = 0; seq < 3 - account; seq++) {
                if (!row(account, seq).equals(missing)) {
                    saw(row(account, seq));
                }
            }
        }
    }

    @Test
    void findsNothingWrongWithWhatWasCommitted() {
        sawAllBut(null);
        assertThat(check.findings().isExactlyOnce()).isTrue();
        assertThat(check.findings().events()).isEqualTo(5);
    }

    @Test
    void findsALostTail() {
        sawAllBut(row(1, 1));
        assertThat(check.findings().lost()).isEqualTo(1);
        assertThat(verified(OutboxContender.SEND_AND_WAIT)).isFalse();
    }

    @Test
    void findsADuplicateThatOnlyRelaysMayMake() {
        sawAllBut(null);
        saw(row(0, 1));
        assertThat(check.findings().duplicated()).isEqualTo(1);
        assertThat(verified(OutboxContender.OUTBOX_1)).isFalse();
        assertThat(verified(OutboxContender.DEBEZIUM_SMALL)).isFalse();
        assertThat(verified(OutboxContender.OUTBOX_ALO)).isTrue();
        assertThat(verified(OutboxContender.FIRE_FLUSH_AWAIT_10)).isTrue();
    }

    @Test
    void findsAnInversionThatOnlyTwoWorkersMayMake() {
        saw(row(0, 1));
        sawAllBut(row(0, 1));
        assertThat(check.findings().reordered()).isEqualTo(1);
        assertThat(verified(OutboxContender.OUTBOX_4)).isFalse();
        assertThat(verified(OutboxContender.FIRE_FLUSH_AWAIT_100)).isFalse();
        assertThat(verified(OutboxContender.FIRE_FLUSH_AWAIT_100_X2)).isTrue();
    }

    @Test
    void findsWhatNobodyHasCommitted() {
        sawAllBut(null);
        saw(row(0, 3));
        saw(row(2, 0));
        assertThat(check.findings().phantom()).isEqualTo(2);
        assertThat(verified(OutboxContender.SEND_AND_WAIT)).isFalse();
    }

    @Test
    void findsAnotherPayloadKeyOrId() {
        OutboxRow row = row(0, 0);
        String other = row(0, 1).payload().replace("\"n\": 1", "\"n\": 0");
        saw(0, row.key(), other, row.id(TURN));
        saw(0, row.key(), "no row", row.id(TURN));
        saw(0, "account-1", row.payload(), row.id(TURN));
        saw(0, row.key(), row.payload(), row.id(TURN - 1));
        saw(0, row.key(), row.payload(), null);
        assertThat(check.findings().corrupt()).isEqualTo(5);
        assertThat(check.findings().lost()).isEqualTo(5);
    }

    @Test
    void findsAnAccountInTwoPartitions() {
        saw(row(0, 0));
        OutboxRow second = row(0, 1);
        saw(2, second.key(), second.payload(), second.id(TURN));
        assertThat(check.findings().corrupt()).isEqualTo(1);
    }

    @Test
    void verifiesNothingWithoutRows() {
        assertThat(OutboxTurn.isVerified(OutboxContender.SEND_AND_WAIT, Findings.NONE))
                .isFalse();
    }

    private boolean verified(OutboxContender contender) {
        return OutboxTurn.isVerified(contender, check.findings());
    }
}
