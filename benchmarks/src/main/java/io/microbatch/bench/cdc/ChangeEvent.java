package io.microbatch.bench.cdc;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import io.microbatch.bench.rows.LiveConsumer;
import java.io.IOException;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A Debezium change event: schemaless JSON, the envelope of an insert.
 *
 * @param after the row
 * @param op {@code c} for an insert, {@code r} for a row read by the snapshot
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record ChangeEvent(TableRow after, Source source, String op) {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectReader EVENT = JSON.readerFor(ChangeEvent.class);
    private static final ObjectReader KEY = JSON.readerFor(Key.class);

    /** Where the change comes from. {@code ts_us} is the commit's time on the database's clock, in microseconds. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Source(@JsonProperty("ts_us") long commitMicros) {}

    private record Key(int account) {}

    /** The event, or nothing when the bytes are not the insert of a row. */
    static Optional<ChangeEvent> parse(byte[] value) {
        try {
            ChangeEvent event = value == null ? null : EVENT.readValue(value);
            boolean complete = event != null && event.after != null && event.source != null;
            return complete && ("c".equals(event.op) || "r".equals(event.op)) ? Optional.of(event) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The row's phase and its commit, or nothing when the record is not the insert of a row. */
    static Optional<LiveConsumer.Origin> origin(ConsumerRecord<byte[], byte[]> record) {
        return parse(record.value())
                .map(event -> new LiveConsumer.Origin(
                        event.after().phase(), event.source().commitMicros()));
    }

    /** The account in a record's key, or -1 when there is none. */
    static int keyAccount(byte[] key) {
        try {
            Key parsed = key == null ? null : KEY.readValue(key);
            return parsed == null ? -1 : parsed.account;
        } catch (IOException e) {
            return -1;
        }
    }
}
