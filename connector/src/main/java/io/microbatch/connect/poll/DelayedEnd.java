package io.microbatch.connect.poll;

import java.util.AbstractList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * The records of a batch, whose iteration ends later than its last record. Connect sends each record as it iterates,
 * and sends offsets and commits when the iteration has ended. So the records reach their brokers first. If the pause is
 * long enough, their partition is part of the transaction when the offsets come.
 *
 * <p>Only an iterator makes the pause, once. Of a part of the list, with which Connect continues after a failure to
 * send, the end is not delayed. Task thread.
 */
final class DelayedEnd extends AbstractList<SourceRecord> {

    private final List<SourceRecord> records;
    private final OffsetPause pause;

    DelayedEnd(List<SourceRecord> records, OffsetPause pause) {
        this.records = records;
        this.pause = pause;
    }

    @Override
    public SourceRecord get(int index) {
        return records.get(index);
    }

    @Override
    public int size() {
        return records.size();
    }

    /** Without the pause: Connect sends by an iterator. */
    @Override
    public void forEach(Consumer<? super SourceRecord> action) {
        records.forEach(action);
    }

    @Override
    public Iterator<SourceRecord> iterator() {
        return new Iterator<>() {
            private int next;
            private boolean hasEnded;

            @Override
            public boolean hasNext() {
                if (next < records.size()) {
                    return true;
                }
                if (!hasEnded) {
                    hasEnded = true;
                    pause.await();
                }
                return false;
            }

            @Override
            public SourceRecord next() {
                if (next == records.size()) {
                    throw new NoSuchElementException();
                }
                return records.get(next++);
            }
        };
    }
}
