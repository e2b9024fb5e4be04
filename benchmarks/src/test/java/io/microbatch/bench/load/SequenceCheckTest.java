package io.microbatch.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SequenceCheckTest {

    private final SequenceCheck check = new SequenceCheck(5);

    private void add(long... sequences) {
        for (long sequence : sequences) {
            check.add(sequence);
        }
    }

    @Test
    void verifiesAllOfThemOnceInOrder() {
        add(0, 1, 2, 3, 4);
        assertThat(check.isVerified()).isTrue();
        assertThat(check.hasEnded()).isTrue();
    }

    @Test
    void countsALostTail() {
        add(0, 1, 2);
        assertThat(check.lost()).isEqualTo(2);
        assertThat(check.hasEnded()).isFalse();
        assertThat(check.isVerified()).isFalse();
    }

    @Test
    void countsAHoleADuplicateAndAReordering() {
        add(0, 2, 1, 2, 4);
        assertThat(check.lost()).isEqualTo(1);
        assertThat(check.reordered()).isEqualTo(1);
        assertThat(check.duplicated()).isEqualTo(1);
        assertThat(check.isVerified()).isFalse();
    }

    @Test
    void doesNotTakeAnotherRunsEventsForItsOwn() {
        add(0, 1, 2, 3, 4, 5, -1);
        assertThat(check.foreign()).isEqualTo(2);
        assertThat(check.isVerified()).isFalse();
    }

    @Test
    void eachSourcePartitionHasAnOrderOfItsOwn() {
        SequenceCheck two = new SequenceCheck(2, 2);
        two.add(0, 0);
        two.add(1, 0);
        two.add(1, 1);
        assertThat(two.hasEnded()).isFalse();
        assertThat(two.lost()).isEqualTo(1);
        two.add(0, 1);
        assertThat(two.hasEnded()).isTrue();
        assertThat(two.isVerified()).isTrue();
        two.add(2, 0);
        assertThat(two.foreign()).isEqualTo(1);
    }
}
