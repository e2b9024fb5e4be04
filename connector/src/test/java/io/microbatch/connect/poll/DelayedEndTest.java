package io.microbatch.connect.poll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DelayedEndTest {

    private static final long DELAY_NANOS = 9_000_000;

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000);
    private final List<Long> parked = new ArrayList<>();
    private final List<SourceRecord> records = IntStream.range(0, 3)
            .mapToObj(i -> new SourceRecord(Map.of(), Map.of("o", i), "t", null, null))
            .toList();

    /** A wait that ends early now and then, as that of a thread may. */
    private final OffsetPause pause = new OffsetPause(now::get, nanos -> {
        parked.add(nanos);
        now.addAndGet(Math.min(nanos, 5_000_000));
    });

    private final DelayedEnd delayed = new DelayedEnd(records, pause);

    @BeforeEach
    void haveAPause() {
        pause.next(DELAY_NANOS);
    }

    @Test
    void endsOnceAfterTheDelay() {
        Iterator<SourceRecord> iterator = delayed.iterator();
        List<SourceRecord> sent = new ArrayList<>();
        while (sent.size() < records.size()) {
            assertThat(iterator.hasNext()).isTrue();
            sent.add(iterator.next());
        }
        assertThat(sent).isEqualTo(records);
        assertThat(parked).as("while there are records").isEmpty();

        assertThat(iterator.hasNext()).isFalse();
        assertThat(parked).containsExactly(DELAY_NANOS, 4_000_000L);
        assertThat(iterator.hasNext()).isFalse();
        assertThat(parked).hasSize(2);
        assertThat(pause.waitedNanos()).isEqualTo(DELAY_NANOS);
        assertThatThrownBy(iterator::next).isInstanceOf(NoSuchElementException.class);
    }

    /** Connect continues with the rest of the list where sending has failed, and has its size. */
    @Test
    void isTheSameListOtherwise() {
        assertThat(delayed.size()).isEqualTo(3);
        assertThat(delayed.subList(1, 3)).isEqualTo(records.subList(1, 3));
        delayed.forEach(record -> assertThat(records).contains(record));
        assertThat(parked).isEmpty();
        assertThat(pause.waitedNanos()).isZero();
        assertThat(pause.isOver()).isFalse();
    }

    @Test
    void doesNotKeepAnInterruptedThread() {
        Thread.currentThread().interrupt();
        try {
            for (SourceRecord record : delayed) {
                assertThat(records).contains(record);
            }
            assertThat(parked).isEmpty();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
