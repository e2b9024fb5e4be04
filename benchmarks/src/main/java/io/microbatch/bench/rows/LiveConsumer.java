package io.microbatch.bench.rows;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Consumes committed records while the load runs and takes the time from a row's commit in the database, or from when
 * it was due, to its arrival here, both on this machine's clock, in microseconds.
 */
public final class LiveConsumer implements AutoCloseable {

    private static final long HIGHEST_MICROS = Duration.ofMinutes(5).toNanos() / 1_000;
    private static final int DIGITS = 3;

    private final Function<ConsumerRecord<byte[], byte[]>, Optional<Origin>> reading;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Thread thread;
    private final SingleWriterRecorder sinceLastAsked = new SingleWriterRecorder(HIGHEST_MICROS, DIGITS);
    /**
     * Written by the consumer thread. Read by others after {@link #close()}, which joins it, or for rows that {@link
     * #received} has counted.
     */
    private final List<Histogram> perPhase;

    /** When the first and the last row of each phase came, in microseconds since the epoch. As {@link #perPhase}. */
    private final long[] firstMicros;

    private final long[] lastMicros;

    /** The rows of each phase that Kafka had when its first one came. As {@link #perPhase}. */
    private final long[] earlyRows;

    private long ownReceived;
    private volatile long received;
    private volatile boolean closing;

    /**
     * Where a record comes from.
     *
     * @param phase the number of the {@link LoadPhase} that wrote the row
     * @param sinceMicros from when its latency counts, in microseconds since the epoch
     */
    public record Origin(int phase, long sinceMicros) {}

    /**
     * Begins to consume.
     *
     * @param reading where a record comes from; empty for what is not a row
     */
    public LiveConsumer(
            String bootstrapServers,
            String topic,
            int partitionCount,
            int phaseCount,
            Function<ConsumerRecord<byte[], byte[]>, Optional<Origin>> reading) {
        this.reading = reading;
        consumer = new KafkaConsumer<>(settings(bootstrapServers));
        consumer.assign(IntStream.range(0, partitionCount)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList());
        perPhase = IntStream.range(0, phaseCount)
                .mapToObj(phase -> new Histogram(HIGHEST_MICROS, DIGITS))
                .toList();
        firstMicros = new long[phaseCount];
        lastMicros = new long[phaseCount];
        earlyRows = new long[phaseCount];
        thread = new Thread(this::consume, "bench-live-consumer");
        thread.setDaemon(true);
        thread.start();
    }

    /** Rows seen so far. A duplicate counts again. */
    public long received() {
        return received;
    }

    /** The latencies since the last call. One caller only. */
    public Histogram interval() {
        return sinceLastAsked.getIntervalHistogram();
    }

    /** The latencies of a phase's rows. Only after {@link #close()}. */
    public Histogram phase(int number) {
        return perPhase.get(number);
    }

    /**
     * Rows per second from the first to the last one of a phase whose rows have all been {@link #received}, of those
     * that Kafka got after the first one had come: what a transaction of thousands of rows took before it was committed
     * is not known. Not a number where there are none. For topics with the time of the append.
     */
    public double perSecAfterFirst(int phase) {
        long rows = perPhase.get(phase).getTotalCount() - earlyRows[phase];
        return rows == 0 ? Double.NaN : rows * 1e6 / Math.max(1, lastMicros[phase] - firstMicros[phase]);
    }

    /** When the last row of a phase came, in microseconds since the epoch. As {@link #perSecAfterFirst}. */
    public long lastMicros(int phase) {
        return lastMicros[phase];
    }

    @Override
    public void close() {
        closing = true;
        consumer.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void consume() {
        try (consumer) {
            while (!closing) {
                ConsumerRecords<byte[], byte[]> records = consumer.poll(Duration.ofSeconds(1));
                // Held from here on: what parsing costs below is not the pipeline's latency.
                long nowMicros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
                for (ConsumerRecord<byte[], byte[]> record : records) {
                    reading.apply(record).ifPresent(origin -> take(origin, record.timestamp() * 1_000, nowMicros));
                }
            }
        } catch (WakeupException e) {
            // close() woke it, and the consumer is closed on the way out.
            return;
        }
    }

    private void take(Origin origin, long appendedMicros, long nowMicros) {
        long latencyMicros = Math.min(HIGHEST_MICROS, Math.max(0, nowMicros - origin.sinceMicros()));
        sinceLastAsked.recordValue(latencyMicros);
        int phase = origin.phase();
        if (phase < perPhase.size()) {
            firstMicros[phase] = perPhase.get(phase).getTotalCount() == 0 ? nowMicros : firstMicros[phase];
            lastMicros[phase] = nowMicros;
            earlyRows[phase] += appendedMicros <= firstMicros[phase] ? 1 : 0;
            perPhase.get(phase).recordValue(latencyMicros);
        }
        ownReceived++;
        received = ownReceived;
    }

    private static Properties settings(String bootstrapServers) {
        Properties settings = new Properties();
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000);
        return settings;
    }
}
