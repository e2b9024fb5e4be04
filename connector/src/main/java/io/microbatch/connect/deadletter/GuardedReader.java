package io.microbatch.connect.deadletter;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.ack.Kept;
import io.microbatch.connect.ack.SettledEvent;
import io.microbatch.connect.config.BulkConfig;
import io.microbatch.connect.config.ConverterConfig;
import io.microbatch.connect.config.DeadLetterConfig;
import io.microbatch.connect.upstream.Intake;
import io.microbatch.connect.upstream.Progress;
import io.microbatch.connect.upstream.RetryLog;
import io.microbatch.connect.upstream.UpstreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reader whose records leave it converted, or as they are where the conversion is only tried; or else as dead letters.
 * Reader thread, but for what any thread may ask.
 *
 * <p>A converter that asks for a retry has not judged the event (a schema registry that does not answer): it gets one
 * every {@value #RETRY_MS} ms for as long as {@code errors.retry.timeout} allows, and then the task fails. A stream of
 * good events is not poured into the dead letter topic because something is down.
 *
 * <p>Converters live from a start to the stop that follows it, so that a start that is tried again has new ones.
 */
public final class GuardedReader implements UpstreamReader {

    private static final Logger log = LoggerFactory.getLogger(GuardedReader.class);
    private static final long RETRY_MS = 100;
    private static final String PRODUCER = "org.apache.kafka.clients.producer.KafkaProducer";

    private final UpstreamReader reader;
    private final Supplier<Conversion> converters;
    private final long retryTimeoutMs;

    /** Null if what cannot be delivered fails the task. */
    private final DeadLetterConfig letters;

    private final DeadLetter deadLetter;

    /** Whether a record that could be converted goes on as it is. */
    private final boolean onlyTries;

    private final LongAdder deadLetters = new LongAdder();
    private final RetryLog retries = new RetryLog(log, "A converter");

    /** Null unless started. */
    private Conversion conversion;

    private GuardedReader(
            UpstreamReader reader, Supplier<Conversion> converters, long retryTimeoutMs, DeadLetterConfig letters) {
        this.reader = reader;
        this.converters = converters;
        this.retryTimeoutMs = retryTimeoutMs;
        this.letters = letters;
        this.deadLetter = letters == null ? null : new DeadLetter(letters);
        this.onlyTries = letters != null && letters.mode() == DeadLetterConfig.Mode.TRY;
    }

    /**
     * Guards each of these readers, with converters of its own.
     *
     * @throws ConnectException if there cannot be such converters
     */
    public static List<UpstreamReader> each(List<? extends UpstreamReader> readers, DeadLetterConfig config) {
        ConverterConfig key = config.converter("key.converter");
        ConverterConfig value = config.converter("value.converter");
        ConverterConfig header = config.converter("header.converter");
        return each(readers, () -> new Conversion(key, value, header), config.retryTimeoutMs(), config);
    }

    /**
     * Has each of these readers convert for bulk records, which have no headers; what cannot be converted is an error.
     *
     * @throws ConnectException if there cannot be such converters
     */
    public static List<UpstreamReader> converting(List<? extends UpstreamReader> readers, BulkConfig config) {
        ConverterConfig key = config.converter("key.converter");
        ConverterConfig value = config.converter("value.converter");
        return each(readers, () -> new Conversion(key, value, null), config.retryTimeoutMs(), null);
    }

    private static List<UpstreamReader> each(
            List<? extends UpstreamReader> readers,
            Supplier<Conversion> converters,
            long retryTimeoutMs,
            DeadLetterConfig letters) {
        // A wrong setting is to fail the start of the task, and not the first poll.
        converters.get().close();
        List<UpstreamReader> guarded = new ArrayList<>();
        for (UpstreamReader reader : readers) {
            guarded.add(new GuardedReader(reader, converters, retryTimeoutMs, letters));
        }
        return guarded;
    }

    @Override
    public SourceRecord outgoing(SourceRecord record, Intake.Backpressure waiting) throws InterruptedException {
        Converted converted = convert(record, waiting);
        Failure failure = converted.failure() != null ? converted.failure() : undeliverable(record, converted);
        if (failure != null && deadLetter == null) {
            throw new ConnectException(
                    "The event of source offset " + record.sourceOffset() + ", source partition "
                            + record.sourcePartition() + ", topic " + record.topic()
                            + (failure.stage() == Stage.KAFKA_PRODUCE ? " cannot be sent (" : " cannot be converted (")
                            + failure.stage() + ")",
                    failure.cause());
        }
        if (failure != null) {
            SourceRecord letter = deadLetter.of(record, converted, failure);
            count(record, failure);
            return letter;
        }
        if (onlyTries) {
            return record;
        }
        return new SourceRecord(
                record.sourcePartition(),
                record.sourceOffset(),
                record.topic(),
                record.kafkaPartition(),
                Schema.OPTIONAL_BYTES_SCHEMA,
                converted.key(),
                Schema.OPTIONAL_BYTES_SCHEMA,
                converted.value(),
                record.timestamp(),
                DeadLetter.connectHeaders(converted.headers(), Schema.OPTIONAL_BYTES_SCHEMA));
    }

    private Converted convert(SourceRecord record, Intake.Backpressure waiting) throws InterruptedException {
        long begunNanos = System.nanoTime();
        while (true) {
            try {
                Converted converted = conversion.convert(record);
                retries.succeeded();
                return converted;
            } catch (org.apache.kafka.connect.errors.RetriableException
                    | org.apache.kafka.common.errors.RetriableException e) {
                long triedMs = (System.nanoTime() - begunNanos) / 1_000_000;
                if (retryTimeoutMs >= 0 && triedMs >= retryTimeoutMs) {
                    // Wrapped: the reader's loop takes a retriable one for its upstream's and would go on without it.
                    throw new ConnectException("A converter asks for a retry, and errors.retry.timeout is over", e);
                }
                retries.asked(RETRY_MS, e);
                // Else an upstream that waits for acknowledgements sends its events again, for as long as this lasts.
                waiting.acknowledgeMeanwhile();
                LockSupport.parkNanos(RETRY_MS * 1_000_000);
                if (Thread.interrupted()) {
                    throw new InterruptedException("The task stops");
                }
            }
        }
    }

    private Failure undeliverable(SourceRecord record, Converted converted) {
        Long timestampMs = record.timestamp();
        if (timestampMs != null && timestampMs < ConsumerRecord.NO_TIMESTAMP) {
            // As Connect says it, which tolerates none whatever errors.tolerance is.
            return new Failure(
                    Stage.KAFKA_PRODUCE,
                    PRODUCER,
                    new InvalidRecordException(
                            "The record's timestamp is " + timestampMs + " ms, and Kafka takes none before 1970"));
        }
        return tooLarge(converted);
    }

    private Failure tooLarge(Converted converted) {
        if (letters == null) {
            // The producer says so, as it does of every record.
            return null;
        }
        long bytes = RecordBytes.of(converted.key(), converted.value(), converted.headers());
        if (bytes <= letters.maxBytes()) {
            return null;
        }
        return new Failure(
                Stage.KAFKA_PRODUCE,
                PRODUCER,
                new RecordTooLargeException("The record is " + bytes + " bytes when serialized, and the limit is "
                        + letters.maxBytes() + " bytes (deadletter.max.bytes, or the producer's max.request.size)"));
    }

    private void count(SourceRecord record, Failure failure) {
        deadLetters.increment();
        long total = deadLetters.sum();
        // The first ones, then ever fewer: the metric counts, and each letter carries its own cause.
        if (Long.bitCount(total) == 1) {
            // What a converter says may quote the event, which belongs into the letter and not into a log.
            log.warn(
                    "An event for topic {} cannot be delivered ({}: {}) and goes to {}; {} so far",
                    record.topic(),
                    failure.stage(),
                    failure.cause().getClass().getName(),
                    letters.topic(),
                    total);
        }
    }

    @Override
    public long deadLetterTotal() {
        return deadLetters.sum();
    }

    @Override
    public double lagMs() {
        return reader.lagMs();
    }

    @Override
    public ClassLoader classLoader() {
        return reader.classLoader();
    }

    @Override
    public void start() {
        conversion = converters.get();
        reader.start();
    }

    @Override
    public void fetch(Intake intake) throws InterruptedException {
        reader.fetch(intake);
    }

    @Override
    public void handingOver(EventRecord event) {
        reader.handingOver(event);
    }

    @Override
    public Runnable pendingBoundary() {
        return reader.pendingBoundary();
    }

    @Override
    public void settled(SettledEvent event) throws InterruptedException {
        reader.settled(event);
    }

    @Override
    public Kept kept() {
        return reader.kept();
    }

    @Override
    public void committed(Progress progress) throws InterruptedException {
        reader.committed(progress);
    }

    @Override
    public void abandon() {
        reader.abandon();
    }

    @Override
    public void stop() {
        try {
            reader.stop();
        } finally {
            if (conversion != null) {
                conversion.close();
                conversion = null;
            }
        }
    }
}
