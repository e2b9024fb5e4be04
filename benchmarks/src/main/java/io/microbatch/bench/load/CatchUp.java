package io.microbatch.bench.load;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/**
 * What a new consumer group showed that read a whole stream from its beginning, after the last event was there.
 * Immutable.
 *
 * @param reading every event, checked as in a run
 * @param tookNanos from the assignment of the partitions to the last event, so without joining the group
 * @param waitMicros how long the polls waited for records, in microseconds: of those that returned any
 * @param ended whether the last event of each source partition came within the limit
 * @param promise what the stream may show
 */
public record CatchUp(Reading reading, long tookNanos, Histogram waitMicros, boolean ended, Promise promise) {

    private static final long HIGHEST_MICROS = TimeUnit.MINUTES.toMicros(10);

    /** Reads the topics that a run has filled. The calling thread reads. */
    public static CatchUp read(String bootstrapServers, LoadSpec spec, String group) {
        long untilNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(spec.limitSeconds());
        Histogram waits = new Histogram(HIGHEST_MICROS, 3);
        try (ReaderGroup reader = new ReaderGroup(bootstrapServers, spec, group)) {
            while (!reader.reading().hasEnded() && System.nanoTime() - untilNanos < 0) {
                long beganNanos = System.nanoTime();
                ConsumerRecords<byte[], byte[]> records = reader.await();
                if (!records.isEmpty()) {
                    // The first poll also joins the group, which is no part of reading.
                    long fromNanos = Math.max(beganNanos, reader.assignedNanos());
                    waits.recordValue(Math.min(HIGHEST_MICROS, (System.nanoTime() - fromNanos) / 1_000));
                    reader.take(records);
                }
            }
            long tookNanos = System.nanoTime() - reader.assignedNanos();
            boolean ended = reader.reading().hasEnded();
            // A doubled tail lies behind the last event.
            reader.drain();
            return new CatchUp(reader.reading(), tookNanos, waits, ended, spec.promise());
        }
    }

    /** As promised, and to the end. */
    public boolean isVerified() {
        return (ended || promise.mayLose()) && promise.isKeptBy(reading.findings());
    }

    /** Events per second, with those that a run does not measure. */
    public double perSec() {
        return (reading.findings().events() - reading.findings().lost()) * 1e9 / Math.max(1, tookNanos);
    }

    /** The same in megabytes (10^6 bytes of values) per second. */
    public double mbPerSec() {
        return perSec() * reading.meanBytes() / 1e6;
    }

    /** How long a poll waited for records, in milliseconds. */
    public double waitMs(double percentile) {
        return waitMicros.getValueAtPercentile(percentile) / 1_000.0;
    }
}
