package io.microbatch.connect.transforms;

import io.microbatch.connect.pressure.BatchMember;
import io.microbatch.connect.pressure.ReturnedBatch;
import java.util.function.Function;
import org.apache.kafka.connect.data.Schema;

/** The headers that {@link StampPressure} adds, each with the key that names it. Stateless. */
enum Stamp {
    LEVEL(
            "level.header",
            "microbatch.level",
            "the pressure level in force when the batch was assembled, 1 to 10 (INT32)",
            Schema.INT32_SCHEMA,
            batch -> batch.level().number(),
            null),
    BATCH_SEQUENCE(
            "batch.sequence.header",
            "microbatch.batch.sequence",
            "the number of the batch since the start of the task, from 0 (INT64)",
            Schema.INT64_SCHEMA,
            ReturnedBatch::sequence,
            null),
    BATCH_POSITION(
            "batch.position.header",
            "microbatch.batch.position",
            "the position of the record in its batch, from 0 (INT32)",
            Schema.INT32_SCHEMA,
            null,
            BatchMember::batchPosition),
    BATCH_SIZE(
            "batch.size.header",
            "microbatch.batch.size",
            "the number of records in the batch (INT32)",
            Schema.INT32_SCHEMA,
            ReturnedBatch::sizeRecords,
            null),
    LINGER(
            "linger.header",
            "microbatch.linger.ms",
            "the linger (T) in force, the longest deliberate delay of an event, in milliseconds (FLOAT64)",
            Schema.FLOAT64_SCHEMA,
            batch -> batch.lingerNanos() / 1e6,
            null),
    ARRIVAL(
            "arrival.header",
            "microbatch.arrival.ms",
            "the time at which the event, or the oldest event of a bulk record, arrived in the task, in milliseconds "
                    + "since 1970 (INT64)",
            Schema.INT64_SCHEMA,
            null,
            event -> event.batch().epochMs(event.arrivalNanos()));

    private final String key;
    private final String defaultHeader;
    private final String what;
    private final Schema schema;
    private final Function<ReturnedBatch, Object> ofBatch;
    private final Function<BatchMember, Object> ofEvent;

    Stamp(
            String key,
            String defaultHeader,
            String what,
            Schema schema,
            Function<ReturnedBatch, Object> ofBatch,
            Function<BatchMember, Object> ofEvent) {
        this.key = key;
        this.defaultHeader = defaultHeader;
        this.what = what;
        this.schema = schema;
        this.ofBatch = ofBatch;
        this.ofEvent = ofEvent;
    }

    String key() {
        return key;
    }

    String defaultHeader() {
        return defaultHeader;
    }

    String doc() {
        return "The name of the header with " + what + ". If empty, the header is left out.";
    }

    Schema schema() {
        return schema;
    }

    /** Whether all records of a batch have the same header. */
    boolean isOfBatch() {
        return ofBatch != null;
    }

    Object of(ReturnedBatch batch) {
        return ofBatch.apply(batch);
    }

    Object of(BatchMember event) {
        return ofEvent.apply(event);
    }
}
