package io.microbatch.connect.packing;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.ack.EventRun;
import io.microbatch.connect.ack.RunPlace;
import io.microbatch.connect.bulk.BulkLimits;
import io.microbatch.connect.bulk.BulkWriter;
import io.microbatch.connect.stripe.DrainSink;
import io.microbatch.connect.stripe.RunSink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Copies runs that are framed already, one behind the other, into records of at most so many bytes: whole runs, all of
 * one place. Runs of different places may alternate; each place has a record of its own in the making. Task thread.
 *
 * <p>A record is an array of its own and of its exact size, because Connect and the producer take nothing else: it can
 * only be allocated when it is known which runs it holds. Until then they stay in their stripe.
 */
final class RunPacker implements RunSink<EventRun> {

    /** Frames of values alone: key and timestamp are the record's. */
    static final BulkWriter WRITER = BulkWriter.of(0);

    private final int maxRecordBytes;
    private final DrainSink<EventRecord> sink;
    private final Map<RunPlace, Pending> pending = new LinkedHashMap<>();

    /** The one that was last added to. */
    private Pending current;

    /**
     * Packs for one drain after the other.
     *
     * @param maxRecordBytes the most bytes of a record, its header included; a longer run is a record of its own
     * @param sink where the records go, with their sizes
     */
    RunPacker(int maxRecordBytes, DrainSink<EventRecord> sink) {
        this.maxRecordBytes = maxRecordBytes;
        this.sink = sink;
    }

    @Override
    public void take(EventRun run, byte[] bytes, int from, int sizeBytes, int events) {
        if (current == null || !current.place.equals(run.place())) {
            current = pending.computeIfAbsent(run.place(), Pending::new);
        }
        if (!current.runs.isEmpty() && !current.hasRoom(maxRecordBytes, sizeBytes, events)) {
            finish(current);
        }
        current.add(run, bytes, from, sizeBytes, events);
    }

    @Override
    public void end() {
        for (Pending each : pending.values()) {
            finish(each);
        }
        pending.clear();
        current = null;
    }

    private void finish(Pending finished) {
        EventRecord record = finished.toRecord();
        finished.clear();
        sink.take(record, record.sizeBytes());
    }

    /** The record of a place, as far as it has come: where its frames lie. */
    private static final class Pending {
        private final RunPlace place;
        private List<EventRun> runs = new ArrayList<>();
        private byte[] source;
        private int[] froms = new int[16];
        private int[] sizesBytes = new int[16];
        private int framesBytes;
        private int events;

        Pending(RunPlace place) {
            this.place = place;
        }

        boolean hasRoom(int maxRecordBytes, int sizeBytes, int runEvents) {
            return WRITER.headerBytes() + framesBytes + sizeBytes <= maxRecordBytes
                    && events + runEvents <= BulkLimits.DEFAULT_MAX_EVENTS;
        }

        void add(EventRun run, byte[] bytes, int from, int sizeBytes, int runEvents) {
            int index = runs.size();
            if (index == froms.length) {
                froms = Arrays.copyOf(froms, 2 * index);
                sizesBytes = Arrays.copyOf(sizesBytes, 2 * index);
            }
            source = bytes;
            froms[index] = from;
            sizesBytes[index] = sizeBytes;
            framesBytes += sizeBytes;
            events += runEvents;
            runs.add(run);
        }

        EventRecord toRecord() {
            byte[] record = new byte[WRITER.headerBytes() + framesBytes];
            int at = WRITER.headerBytes();
            for (int i = 0; i < runs.size(); i++) {
                System.arraycopy(source, froms[i], record, at, sizesBytes[i]);
                at += sizesBytes[i];
            }
            WRITER.finish(record, 0, at, events);
            EventRun last = runs.get(runs.size() - 1);
            SourceRecord outgoing = new SourceRecord(
                    place.sourcePartition(),
                    last.sourceOffset(),
                    place.topic(),
                    place.kafkaPartition(),
                    Schema.OPTIONAL_BYTES_SCHEMA,
                    place.key(),
                    Schema.OPTIONAL_BYTES_SCHEMA,
                    record,
                    last.timestampMs());
            return EventRecord.bulk(outgoing, runs, record.length, runs.get(0).arrivalNanos());
        }

        void clear() {
            runs = new ArrayList<>();
            framesBytes = 0;
            events = 0;
        }
    }
}
