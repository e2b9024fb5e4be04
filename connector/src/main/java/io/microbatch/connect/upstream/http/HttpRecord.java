package io.microbatch.connect.upstream.http;

import io.microbatch.connect.ack.Awaited;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Headers;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * An event of a request, as a record. Its settlement tells the request. Any thread may settle it, also twice.
 *
 * <p>Equality is that of the source record. Nothing compares these records: Connect and the ledger hold {@link
 * io.microbatch.connect.ack.EventRecord}s.
 */
final class HttpRecord extends SourceRecord implements Awaited {

    private static final VarHandle IS_SETTLED;

    static {
        try {
            IS_SETTLED = MethodHandles.lookup().findVarHandle(HttpRecord.class, "isSettled", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final transient PendingRequest request;
    private final int index;

    @SuppressWarnings("UnusedVariable") // through IS_SETTLED
    private boolean isSettled;

    /** The record of the event at this index of the request. All records of a request have equal offsets. */
    HttpRecord(PendingRequest request, int index, HttpEvent event, Map<String, ?> partition, Map<String, ?> offset) {
        super(
                partition,
                offset,
                request.topic(),
                event.partition(),
                Schema.OPTIONAL_BYTES_SCHEMA,
                event.key(),
                Schema.OPTIONAL_BYTES_SCHEMA,
                event.value(),
                event.timestampMs(),
                headers(event.headers()));
        this.request = request;
        this.index = index;
    }

    private static Headers headers(List<HttpHeader> sent) {
        ConnectHeaders headers = new ConnectHeaders();
        for (HttpHeader header : sent) {
            Headers ignored = headers.add(header.name(), header.value(), Schema.OPTIONAL_BYTES_SCHEMA);
        }
        return headers;
    }

    @Override
    public void settled(RecordMetadata metadata) {
        if (IS_SETTLED.compareAndSet(this, false, true)) {
            request.settled(index, metadata);
        }
    }
}
