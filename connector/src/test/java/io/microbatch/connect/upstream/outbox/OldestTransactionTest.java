package io.microbatch.connect.upstream.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OldestTransactionTest {

    private final OldestTransaction oldest = new OldestTransaction();

    private long seenForNanos(String snapshot, long nowNanos) {
        return oldest.seenForNanos(Snapshot.parse(snapshot), nowNanos);
    }

    @Test
    void countsFromTheFirstSnapshotThatShowsIt() {
        assertThat(seenForNanos("10:12:10", 100)).isZero();
        assertThat(seenForNanos("10:15:10,14", 130)).isEqualTo(30);
        // The next one was there before, and was not the oldest.
        assertThat(seenForNanos("14:15:14", 150)).isZero();
        assertThat(seenForNanos("14:15:14", 160)).isEqualTo(10);
        assertThat(seenForNanos("15:15:", 170)).isZero();
    }

    @Test
    void doesNotCountTheTimeInWhichNobodyHadTheId() {
        assertThat(seenForNanos("20:20:", 100)).isZero();
        assertThat(seenForNanos("20:20:", 3_600)).isZero();
        assertThat(seenForNanos("20:21:20", 3_700)).isZero();
        assertThat(seenForNanos("20:21:20", 3_750)).isEqualTo(50);
    }
}
