package io.microbatch.bench.cdc;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Properties;
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
 * Consumes committed records while the load runs and takes the time from a row's commit in the database to its
 * arrival here, both on this machine's clock, in microseconds.
 */
final class LiveConsumer implements AutoCloseable {

    private static final long HIGHEST_MICROS = Duration.ofMinutes(5).toNanos() / 1_000;
    private static final int DIGITS = 3;

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

    private long ownReceived;
    private volatile long received;
    private volatile boolean closing;

    LiveConsumer(String bootstrapServers, String topic, int partitionCount, int phaseCount) {
        consumer = new KafkaConsumer<>(settings(bootstrapServers));
        consumer.assign(IntStream.range(0, partitionCount)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList());
        perPhase = IntStream.range(0, phaseCount)
                .mapToObj(phase -> new Histogram(HIGHEST_MICROS, DIGITS))
                .toList();
        firstMicros = new long[phaseCount];
        lastMicros = new long[phaseCount];
        thread = new Thread(this::consume, "bench-live-consumer");
        thread.setDaemon(true);
        thread.start();
    }

    /** Change events seen so far. A duplicate counts again. */
    long received() {
        return received;
    }

    /** The latencies since the last call. One caller only. */
    Histogram interval() {
        return sinceLastAsked.getIntervalHistogram();
    }

    /** The latencies of a phase's rows. Only after {@link #close()}. */
    Histogram phase(int number) {
        return perPhase.get(number);
    }

    /** Rows per second from the first to the last one of a phase whose rows have all been {@link #received}. */
    double perSec(int phase) {
        return perPhase.get(phase).getTotalCount() * 1e6 / Math.max(1, lastMicros[phase] - firstMicros[phase]);
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
                    ChangeEvent.parse(record.value()).ifPresent(event -> take(event, nowMicros));
                }
            }
        } catch (WakeupException e) {
            // close() woke it, and the consumer is closed on the way out.
            return;
        }
    }

    private void take(ChangeEvent event, long nowMicros) {
        long latencyMicros =
                Math.min(HIGHEST_MICROS, Math.max(0, nowMicros - event.source().commitMicros()));
        sinceLastAsked.recordValue(latencyMicros);
        int phase = event.after().phase();
        if (phase < perPhase.size()) {
            firstMicros[phase] = perPhase.get(phase).getTotalCount() == 0 ? nowMicros : firstMicros[phase];
            lastMicros[phase] = nowMicros;
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
