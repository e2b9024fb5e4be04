package io.microbatch.connect;

import io.microbatch.connect.ack.EventRecord;
import java.util.List;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * The batch that Debezium's engine has handed to the application. The engine polls again when handleBatch has returned,
 * and by the engine's contract every event of the batch is processed then. So an event that was not marked as processed
 * until the next poll was dropped by a transform, was not worth a mark, or cannot be told from the record that was
 * marked. It is done too: it would otherwise hold back the acknowledgement of every later event. The task's thread
 * calls {@link #poll}, any thread {@link #processed}.
 */
final class EngineBatch {

    private final TaskPipeline pipeline;
    private List<SourceRecord> records = List.of();

    /** Set when the application breaks the contract. */
    private volatile ConnectException refusal;

    EngineBatch(TaskPipeline pipeline) {
        this.pipeline = pipeline;
    }

    /**
     * Finishes the last batch and returns the next one, or null if none is ready soon.
     *
     * @throws ConnectException if an event was marked too late, or when the upstream has failed
     */
    List<SourceRecord> poll() throws InterruptedException {
        if (refusal != null) {
            throw refusal;
        }
        for (SourceRecord record : records) {
            if (record instanceof EventRecord event && !event.isSettled()) {
                pipeline.acknowledged(event, null);
            }
        }
        records = List.of();
        List<SourceRecord> polled = pipeline.poll();
        if (polled != null) {
            records = polled;
        }
        return polled;
    }

    /**
     * The application has marked this record, or what a transform has made of it, as processed.
     *
     * @throws ConnectException if the event is done already, because the engine has polled since. The engine then does
     *     not store its offset
     */
    void processed(SourceRecord record) {
        EventRecord event = EventRecord.of(record);
        if (event == null) {
            return;
        }
        if (event.isSettled() && !event.isDelivered()) {
            refusal = new ConnectException("An event was marked as processed after the handleBatch that it was passed "
                    + "to had returned, when a hosted connector may have been told already that it is done. Nothing "
                    + "more is read. Process each event before handleBatch returns");
            throw refusal;
        }
        pipeline.processed(event);
    }
}
