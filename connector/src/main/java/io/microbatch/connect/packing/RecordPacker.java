package io.microbatch.connect.packing;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.bulk.BulkFormat;
import io.microbatch.connect.bulk.BulkLimits;
import io.microbatch.connect.bulk.BulkWriter;
import io.microbatch.connect.stripe.DrainSink;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Packs records whose key and value are bytes into bulk records. A bulk record has consecutive events of one source
 * partition that go to the same topic and Kafka partition. Task thread, for one drain.
 *
 * <p>Each source partition has a pending record of its own, so source partitions may alternate. Topics do not: after a
 * crash, a record with an offset after an event of another topic that was not sent yet would lose that event.
 *
 * <p>Events with the same source offset go into one record. Only a run that is longer than a record is divided, within
 * the batch. An event that is larger than a record becomes a record of its own.
 */
final class RecordPacker implements DrainSink<EventRecord> {

    private final int maxRecordBytes;
    private final String unpackedTopic;
    private final DrainSink<EventRecord> sink;
    private final Map<Map<String, ?>, Pending> pending = new LinkedHashMap<>();

    RecordPacker(int maxRecordBytes, String unpackedTopic, DrainSink<EventRecord> sink) {
        this.maxRecordBytes = maxRecordBytes;
        this.unpackedTopic = unpackedTopic;
        this.sink = sink;
    }

    @Override
    public void take(EventRecord event, int sizeBytes) {
        Pending own = pending.computeIfAbsent(event.sourcePartition(), partition -> new Pending());
        if (event.topic().equals(unpackedTopic)) {
            finish(own);
            sink.take(event, sizeBytes);
            return;
        }
        if (!own.events.isEmpty() && !isNeighbour(own.last(), event)) {
            finish(own);
        }
        own.startRunIfNew(event);
        long frameBytes = (long) BulkFormat.MAX_FRAME_OVERHEAD_BYTES + length(event.key()) + length(event.value());
        while (!own.events.isEmpty() && !own.hasRoom(maxRecordBytes, frameBytes)) {
            finishRecord(own.takeCompleteRuns());
        }
        own.add(event, frameBytes);
    }

    private static boolean isNeighbour(EventRecord last, EventRecord next) {
        return last.topic().equals(next.topic()) && Objects.equals(last.kafkaPartition(), next.kafkaPartition());
    }

    /** Sends all pending events. */
    void end() {
        pending.values().forEach(this::finish);
    }

    private void finish(Pending finished) {
        if (!finished.events.isEmpty()) {
            finishRecord(finished.takeAll());
        }
    }

    /** The events of a source partition that are not in a record yet. */
    private static final class Pending {
        private List<EventRecord> events = new ArrayList<>();
        private long framesBytes;

        /** The position at which the last run of equal offsets starts. */
        private int runStart;

        /** The bytes of the frames before the last run. */
        private long bytesBeforeRun;

        EventRecord last() {
            return events.get(events.size() - 1);
        }

        void startRunIfNew(EventRecord event) {
            if (!events.isEmpty() && !EventRecord.sameOffset(last(), event)) {
                runStart = events.size();
                bytesBeforeRun = framesBytes;
            }
        }

        boolean hasRoom(int maxRecordBytes, long frameBytes) {
            return BulkFormat.MAX_HEADER_BYTES + framesBytes + frameBytes <= maxRecordBytes
                    && events.size() < BulkLimits.DEFAULT_MAX_EVENTS;
        }

        void add(EventRecord event, long frameBytes) {
            events.add(event);
            framesBytes += frameBytes;
        }

        /** Takes the events before the last run, or a part of the run if there are none. */
        List<EventRecord> takeCompleteRuns() {
            if (runStart == 0) {
                return takeAll();
            }
            List<EventRecord> before = List.copyOf(events.subList(0, runStart));
            events = new ArrayList<>(events.subList(runStart, events.size()));
            framesBytes -= bytesBeforeRun;
            runStart = 0;
            bytesBeforeRun = 0;
            return before;
        }

        List<EventRecord> takeAll() {
            List<EventRecord> all = events;
            events = new ArrayList<>();
            framesBytes = 0;
            runStart = 0;
            bytesBeforeRun = 0;
            return all;
        }
    }

    private void finishRecord(List<EventRecord> carried) {
        BulkWriter writer = writerFor(carried);
        byte[] record = new byte[sizeBytes(writer, carried)];
        int at = writer.headerBytes();
        for (EventRecord event : carried) {
            at = writer.writeFrame(record, at, bytes(event.key()), timestampMs(event), bytes(event.value()));
        }
        writer.finish(record, 0, at, carried.size());
        EventRecord first = carried.get(0);
        EventRecord last = carried.get(carried.size() - 1);
        SourceRecord outgoing = new SourceRecord(
                last.sourcePartition(),
                last.sourceOffset(),
                last.topic(),
                last.kafkaPartition(),
                Schema.OPTIONAL_BYTES_SCHEMA,
                key(last.sourcePartition()),
                Schema.OPTIONAL_BYTES_SCHEMA,
                record,
                newestTimestampMs(carried));
        sink.take(EventRecord.bulk(outgoing, carried, record.length, first.arrivalNanos()), record.length);
    }

    /** A writer with the flags for keys, timestamps and nulls that these events need. */
    private static BulkWriter writerFor(List<EventRecord> events) {
        int flags = 0;
        long baseTimestampMs = 0;
        for (EventRecord event : events) {
            flags |= event.key() == null ? 0 : BulkFormat.FLAG_KEYS;
            flags |= event.value() == null ? BulkFormat.FLAG_NULL_VALUES : 0;
            long timestampMs = timestampMs(event);
            if (timestampMs != BulkFormat.NO_TIMESTAMP) {
                baseTimestampMs = (flags & BulkFormat.FLAG_TIMESTAMPS) == 0 ? timestampMs : baseTimestampMs;
                flags |= BulkFormat.FLAG_TIMESTAMPS;
            }
        }
        return BulkWriter.of(flags, baseTimestampMs);
    }

    private static int sizeBytes(BulkWriter writer, List<EventRecord> events) {
        long bytes = writer.headerBytes();
        for (EventRecord event : events) {
            bytes += writer.frameBytes(keyBytes(event), timestampMs(event), valueBytes(event));
        }
        return Math.toIntExact(bytes);
    }

    private static int keyBytes(EventRecord event) {
        return event.key() == null ? BulkFormat.NULL_LENGTH : bytes(event.key()).length;
    }

    private static int valueBytes(EventRecord event) {
        return event.value() == null ? BulkFormat.NULL_LENGTH : bytes(event.value()).length;
    }

    /** A null timestamp and Kafka's value for none are the same, as in Connect. */
    private static long timestampMs(EventRecord event) {
        return event.timestamp() == null ? BulkFormat.NO_TIMESTAMP : event.timestamp();
    }

    /** The newest timestamp, so that a look-up by time in the topic misses no event. */
    private static Long newestTimestampMs(List<EventRecord> events) {
        long newest = BulkFormat.NO_TIMESTAMP;
        for (EventRecord event : events) {
            newest = Math.max(newest, timestampMs(event));
        }
        return newest == BulkFormat.NO_TIMESTAMP ? null : newest;
    }

    /** One key for all records of a source partition, so that they stay in one Kafka partition and in order. */
    private static byte[] key(Map<String, ?> sourcePartition) {
        return sourcePartition == null
                ? null
                : new TreeMap<>(sourcePartition).toString().getBytes(StandardCharsets.UTF_8);
    }

    private static int length(Object content) {
        return content == null ? 0 : bytes(content).length;
    }

    private static byte[] bytes(Object content) {
        if (content == null || content instanceof byte[]) {
            return (byte[]) content;
        }
        throw new ConnectException("An event's key and value must be bytes here, not "
                + content.getClass().getName() + ": set bulk.inner.key.converter and bulk.inner.value.converter");
    }
}
