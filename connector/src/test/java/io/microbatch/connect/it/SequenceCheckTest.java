package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.partitioned.SequenceEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class SequenceCheckTest {

    private static final long SEED = 3;

    private final List<String> texts = new ArrayList<>();

    SequenceCheckTest() {
        for (int position = 0; position < 4; position++) {
            for (int sequence = 0; sequence < 2; sequence++) {
                texts.add(SequenceEvent.text(SEED, sequence, position));
            }
        }
    }

    @Test
    void isCleanIfEachEventOccursOnceInTheOrderOfItsSequence() {
        Collections.swap(texts, 0, 1);
        assertThat(check()).isEqualTo(SequenceCheck.CLEAN);
        assertThat(check().isAtLeastOnce()).isTrue();
    }

    @Test
    void detectsALostEventIncludingTheLastOne() {
        texts.remove(7);
        texts.remove(2);
        assertThat(check()).isEqualTo(new SequenceCheck(2, 0, 0, 0));
        assertThat(check().isAtLeastOnce()).isFalse();
    }

    @Test
    void detectsARepetition() {
        texts.add(texts.get(3));
        assertThat(check()).isEqualTo(new SequenceCheck(0, 1, 0, 0));
        assertThat(check().isAtLeastOnce()).isTrue();
    }

    @Test
    void detectsEventsOfASequenceInTheWrongOrder() {
        Collections.swap(texts, 1, 3);
        assertThat(check()).isEqualTo(new SequenceCheck(0, 0, 1, 0));
        assertThat(check().isAtLeastOnce()).isFalse();
    }

    @Test
    void detectsAnEventWithTheContentOfAnotherAndOneAfterTheEnd() {
        texts.set(5, texts.get(5).replace(":2:", ":1:"));
        texts.add(SequenceEvent.text(SEED, 1, 4));
        assertThat(check()).isEqualTo(new SequenceCheck(1, 0, 0, 2));
    }

    private SequenceCheck check() {
        return SequenceCheck.of(texts, SEED, 2, sequence -> 4);
    }
}
