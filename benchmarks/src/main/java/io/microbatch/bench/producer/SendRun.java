package io.microbatch.bench.producer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Sends events for a while, in one mode with one guarantee. One thread. */
public final class SendRun {

    private final String topic;
    private final SendMode mode;
    private final Guarantee guarantee;
    private final Payload payload;
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final List<Future<RecordMetadata>> pending = new ArrayList<>();
    private long events;
    private int recordsInTransaction;

    /** Prepares to send to this topic. */
    public SendRun(String topic, SendMode mode, Guarantee guarantee, Payload payload) {
        this.topic = topic;
        this.mode = mode;
        this.guarantee = guarantee;
        this.payload = payload;
    }

    /**
     * What was sent and how long it took, in nanoseconds from before the first send.
     *
     * @param events how many events were sent
     * @param sendNanos until the last send returned
     * @param sustainedNanos until the last record was acknowledged, as far as the guarantee goes
     * @param transactionalNanos until the last transaction was committed; 0 without transactions
     */
    public record Sent(long events, long sendNanos, long sustainedNanos, long transactionalNanos) {}

    /** Sends for a time in milliseconds, or up to a number of events. */
    public Sent send(String bootstrapServers, long durationMs, long mostEvents) {
        try (Producer<byte[], byte[]> producer =
                new KafkaProducer<>(settings(bootstrapServers), new ByteArraySerializer(), new ByteArraySerializer())) {
            if (guarantee.isTransactional()) {
                producer.initTransactions();
            }
            // Not part of any figure: the first send waits for the topic's metadata.
            List<?> ignored = producer.partitionsFor(topic);
            long beganNanos = System.nanoTime();
            long untilNanos = beganNanos + TimeUnit.MILLISECONDS.toNanos(durationMs);
            long sentNanos = beganNanos;
            while (sentNanos - untilNanos < 0 && events + mode.eventsPerRecord() <= mostEvents) {
                beginIfDue(producer);
                pending.add(producer.send(next(), (metadata, e) -> failure.compareAndSet(null, e)));
                recordsInTransaction++;
                awaitIfDue(producer);
                commitIfDue(producer, mode.recordsPerTransaction());
                sentNanos = System.nanoTime();
            }
            producer.flush();
            long sustainedNanos = System.nanoTime();
            commitIfDue(producer, 1);
            long committedNanos = System.nanoTime();
            if (failure.get() != null) {
                throw new IllegalStateException("a send failed", failure.get());
            }
            return new Sent(
                    events,
                    sentNanos - beganNanos,
                    sustainedNanos - beganNanos,
                    guarantee.isTransactional() ? committedNanos - beganNanos : 0);
        }
    }

    private Map<String, Object> settings(String bootstrapServers) {
        Map<String, Object> settings = new HashMap<>();
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        settings.put(ProducerConfig.ACKS_CONFIG, guarantee.acks());
        // Not idempotent where nothing is acknowledged: the client refuses that.
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, guarantee.acks().equals("all"));
        settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        settings.put(ProducerConfig.BATCH_SIZE_CONFIG, 1_000_000);
        // With the client's default of 5 ms, one send at a time would measure that wait.
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        if (guarantee.isTransactional()) {
            settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, topic);
        }
        return settings;
    }

    private ProducerRecord<byte[], byte[]> next() {
        byte[] value = payload.record(events, mode.eventsPerRecord());
        events += mode.eventsPerRecord();
        return new ProducerRecord<>(topic, 0, null, value);
    }

    private void beginIfDue(Producer<?, ?> producer) {
        if (guarantee.isTransactional() && recordsInTransaction == 0) {
            producer.beginTransaction();
        }
    }

    private void awaitIfDue(Producer<?, ?> producer) {
        if (mode.recordsPerAwait() == 0) {
            // The callback reports a failure; a list of all futures would be the largest thing in memory.
            pending.clear();
        } else if (pending.size() == mode.recordsPerAwait()) {
            if (mode.recordsPerAwait() > 1) {
                producer.flush();
            }
            pending.forEach(SendRun::await);
            pending.clear();
        }
    }

    private static void await(Future<RecordMetadata> future) {
        try {
            RecordMetadata ignored = future.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a send failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void commitIfDue(Producer<?, ?> producer, int records) {
        if (guarantee.isTransactional() && recordsInTransaction >= records) {
            producer.commitTransaction();
            recordsInTransaction = 0;
        }
    }
}
