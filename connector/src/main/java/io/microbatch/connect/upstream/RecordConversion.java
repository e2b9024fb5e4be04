package io.microbatch.connect.upstream;

import org.apache.kafka.connect.source.SourceRecord;

/** Decides what Connect gets for each record of one reader: the record itself, or a replacement. Reader thread. */
@FunctionalInterface
public interface RecordConversion {

    /** Returns each record unchanged, and throws the reason of a refused one. */
    RecordConversion NONE = (record, waiting) -> {
        if (record instanceof Refused refused) {
            throw refused.why();
        }
        return record;
    };

    /** Prepares for the first record. Called before each start of the reader. */
    default void open() {}

    /**
     * Returns what Connect gets for a record. Throws InterruptedException if the task stops.
     *
     * @param waiting lets acknowledgements through; called repeatedly while this waits
     */
    SourceRecord convert(SourceRecord record, Intake.Backpressure waiting) throws InterruptedException;

    /** Releases what {@link #open} acquired. Called after each stop of the reader, also if open has failed. */
    default void close() {}
}
