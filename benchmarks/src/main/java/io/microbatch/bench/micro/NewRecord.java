package io.microbatch.bench.micro;

import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.transforms.Transformation;

/** Makes the record anew and changes nothing. Stateless. */
final class NewRecord implements Transformation<SourceRecord> {

    @Override
    public SourceRecord apply(SourceRecord record) {
        return record.newRecord(
                record.topic(),
                record.kafkaPartition(),
                record.keySchema(),
                record.key(),
                record.valueSchema(),
                record.value(),
                record.timestamp());
    }

    @Override
    public ConfigDef config() {
        return new ConfigDef();
    }

    @Override
    public void configure(Map<String, ?> configs) {
        // Has no settings.
    }

    @Override
    public void close() {
        // Holds nothing open.
    }
}
