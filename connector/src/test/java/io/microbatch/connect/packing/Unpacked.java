package io.microbatch.connect.packing;

import io.microbatch.connect.bulk.BulkEvent;
import io.microbatch.connect.bulk.BulkLimits;
import io.microbatch.connect.bulk.BulkReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.connect.source.SourceRecord;

/** Reads bulk records with the public reader. */
final class Unpacked {

    private Unpacked() {}

    static List<BulkEvent> events(SourceRecord record) {
        return new BulkReader(BulkLimits.DEFAULT).read((byte[]) record.value()).toList();
    }

    static List<String> values(SourceRecord record) {
        return events(record).stream().map(event -> text(event.value())).toList();
    }

    static String text(byte[] bytes) {
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }
}
