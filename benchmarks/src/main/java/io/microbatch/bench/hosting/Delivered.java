package io.microbatch.bench.hosting;

import io.microbatch.testbed.oracle.Event;
import io.microbatch.testbed.oracle.Findings;
import io.microbatch.testbed.oracle.Oracle;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.TimestampType;

/**
 * What a topic holds of a stream whose truth is known: the oracle's findings, and a print of every record, so that
 * plain and hosted can be compared in everything that a consumer sees. One thread.
 */
final class Delivered {

    private static final double MS_PER_S = 1_000;

    private final Oracle oracle;
    private final Map<Event, Integer> prints = new HashMap<>();
    private long unlike;
    private long records;
    private long firstMs = Long.MAX_VALUE;
    private long lastMs = Long.MIN_VALUE;

    /** Expects, of each source partition, this many events of this run, from 0. */
    Delivered(long run, long... truth) {
        oracle = new Oracle(run, truth);
    }

    /** A record, in the order of its topic, and the event that it carries. Null if it does not carry what was sent. */
    void saw(ConsumerRecord<byte[], byte[]> record, Event event) {
        saw(record, event, print(record));
    }

    /** The same with what is to be compared of it. */
    void saw(ConsumerRecord<byte[], byte[]> record, Event event, int print) {
        oracle.saw(event, record.timestamp());
        records++;
        if (record.timestampType() == TimestampType.LOG_APPEND_TIME) {
            firstMs = Math.min(firstMs, record.timestamp());
            lastMs = Math.max(lastMs, record.timestamp());
        }
        if (event != null) {
            Integer before = prints.putIfAbsent(event, print);
            if (before != null && before != print) {
                unlike++;
            }
        }
    }

    /** Something that is no event of the stream is not what it should be. */
    void sawAltered() {
        unlike++;
    }

    /** Whether every event is there. */
    boolean isComplete() {
        return oracle.isComplete();
    }

    /** The source partitions that lack an event. */
    List<Integer> incomplete() {
        return oracle.incomplete();
    }

    Findings findings() {
        return oracle.findings();
    }

    /** Records that do not carry what was sent, that carry what never was, or that differ for the same event. */
    long altered() {
        Findings findings = findings();
        return findings.corrupt() + findings.phantom() + unlike;
    }

    /** Events that both hold, but not with the same key, value, headers, partition and timestamp. */
    long differentFrom(Delivered other) {
        return prints.entrySet().stream()
                .filter(print -> other.prints.containsKey(print.getKey()))
                .filter(print -> !other.prints.get(print.getKey()).equals(print.getValue()))
                .count();
    }

    /** Records per second between the first and the last, by the log's clock. NaN where that is unknown. */
    double perSec() {
        return lastMs > firstMs ? (records - 1) * MS_PER_S / (lastMs - firstMs) : Double.NaN;
    }

    private static int print(ConsumerRecord<byte[], byte[]> record) {
        int print = 31 * Arrays.hashCode(record.key()) + Arrays.hashCode(record.value());
        for (Header header : record.headers()) {
            print = 31 * print + header.key().hashCode();
            print = 31 * print + Arrays.hashCode(header.value());
        }
        print = 31 * print + record.partition();
        // The log's own time says nothing of the record.
        return record.timestampType() == TimestampType.CREATE_TIME
                ? 31 * print + Long.hashCode(record.timestamp())
                : print;
    }
}
