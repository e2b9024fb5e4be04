package io.microbatch.connect.upstream;

import org.apache.kafka.connect.source.SourceRecord;

/**
 * Decides what Connect gets for each record of one reader: the record itself, or another one that stands for it. On the
 * reader's thread.
 */
@FunctionalInterface
public interface RecordConversion {

    /** Leaves each record as it is. */
    RecordConversion NONE = (record, waiting) -> record;

    /** Prepares for the first record; called before each start of the reader. */
    default void open() {}

    /**
     * What Connect gets for a record.
     *
     * @param waiting lets acknowledgements through; called again and again while this waits
     * @throws InterruptedException if the task stops
     */
    SourceRecord convert(SourceRecord record, Intake.Backpressure waiting) throws InterruptedException;

    /** Ends what {@link #open} began; called after each stop of the reader, also where open has failed. */
    default void close() {}
}
