package io.microbatch.connect.it;

import io.microbatch.connect.bulk.BulkEvent;
import io.microbatch.connect.bulk.BulkLimits;
import io.microbatch.connect.bulk.BulkReader;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Replaces each bulk record by one record per event. */
final class Unpacking {

    private Unpacking() {}

    static void each(ConsumerRecord<byte[], byte[]> record, Consumer<ConsumerRecord<byte[], byte[]>> sink) {
        for (BulkEvent event :
                new BulkReader(BulkLimits.DEFAULT).read(record.value()).toList()) {
            sink.accept(new ConsumerRecord<>(
                    record.topic(), record.partition(), record.offset(), event.key(), event.value()));
        }
    }

    static int count(ConsumerRecord<byte[], byte[]> record) {
        return new BulkReader(BulkLimits.DEFAULT).read(record.value()).count();
    }

    static List<ConsumerRecord<byte[], byte[]>> all(List<ConsumerRecord<byte[], byte[]>> records) {
        return records.stream()
                .<ConsumerRecord<byte[], byte[]>>mapMulti((record, sink) -> each(record, sink))
                .toList();
    }
}
