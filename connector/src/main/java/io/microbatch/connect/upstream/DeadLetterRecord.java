package io.microbatch.connect.upstream;

import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * A dead letter, which a {@link RecordConversion} returns in place of a record. Its place in Kafka is not the place of
 * the upstream's record.
 */
public final class DeadLetterRecord extends SourceRecord {

    /** As {@link SourceRecord}, for any partition of the topic. */
    public DeadLetterRecord(
            Map<String, ?> sourcePartition,
            Map<String, ?> sourceOffset,
            String topic,
            Schema keySchema,
            Object key,
            Schema valueSchema,
            Object value,
            Long timestamp,
            Iterable<Header> headers) {
        super(sourcePartition, sourceOffset, topic, null, keySchema, key, valueSchema, value, timestamp, headers);
    }
}
