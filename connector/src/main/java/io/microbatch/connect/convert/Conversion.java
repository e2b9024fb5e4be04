package io.microbatch.connect.convert;

import io.microbatch.connect.config.BulkConfig;
import io.microbatch.connect.config.ConverterConfig;
import io.microbatch.connect.config.DeadLetterConfig;
import io.microbatch.connect.upstream.Intake;
import io.microbatch.connect.upstream.RecordConversion;
import io.microbatch.connect.upstream.Refused;
import io.microbatch.connect.upstream.RetryLog;
import java.util.concurrent.atomic.AtomicLong;
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
 * Converts the records of one reader, or only tests whether they can be converted. A dead letter replaces a record that
 * cannot be delivered. Reader thread.
 *
 * <p>A converter that asks for a retry, or fails for an {@link Outage}, has not judged the event. The conversion is
 * tried every {@value #RETRY_MS} ms for as long as {@code errors.retry.timeout} allows, and then the task fails. So an
 * outage does not send good events to the dead letter topic.
 *
 * <p>Converters live from {@link #open} to {@link #close}, so that a repeated start has new ones.
 */
public final class Conversion implements RecordConversion {

    private static final Logger log = LoggerFactory.getLogger(Conversion.class);
    private static final long RETRY_MS = 100;
    private static final String PRODUCER = "org.apache.kafka.clients.producer.KafkaProducer";

    private final Supplier<Converters> factory;
    private final long retryTimeoutMs;

    /** The configuration of dead letters. Null if a record that cannot be delivered fails the task. */
    private final DeadLetterConfig config;

    private final DeadLetter deadLetter;

    /** Whether conversions are trials, so that a record that can be converted passes unchanged. */
    private final boolean onlyTries;

    /** Whether a dead letter has to have all of its event, because the upstream keeps nothing of it. */
    private final boolean onlyWhole;

    /** The prefix of the converters' keys if events are packed after the conversion. Null otherwise. */
    private final String packedConverters;

    /** Counts the dead letters of all readers of the task. Null without dead letters. */
    private final AtomicLong deadLetterTotal;

    private final RetryLog retries = new RetryLog(log, "A converter");

    /** Null unless open. */
    private Converters converters;

    private Conversion(
            Supplier<Converters> factory,
            long retryTimeoutMs,
            DeadLetterConfig config,
            boolean onlyWhole,
            String packedConverters,
            AtomicLong deadLetterTotal) {
        this.factory = factory;
        this.retryTimeoutMs = retryTimeoutMs;
        this.config = config;
        this.deadLetter = config == null ? null : new DeadLetter(config);
        this.onlyTries = config != null && config.mode() == DeadLetterConfig.Mode.TRY;
        this.onlyWhole = onlyWhole;
        this.packedConverters = packedConverters;
        this.deadLetterTotal = deadLetterTotal;
    }

    /**
     * Provides a conversion for each reader, with its own converters, that replaces failing events with dead letters
     * and counts them. Throws ConnectException if the converters cannot be created.
     *
     * @param onlyWhole whether the upstream deletes an event that has a dead letter. Then an event that is too large
     *     for its dead letter fails the task, because the rest of it would be lost
     */
    public static Supplier<RecordConversion> withDeadLetters(
            DeadLetterConfig config, boolean onlyWhole, AtomicLong deadLetterTotal) {
        ConverterConfig key = config.converter("key.converter");
        ConverterConfig value = config.converter("value.converter");
        ConverterConfig header = config.converter("header.converter");
        Supplier<Converters> factory = checked(() -> new Converters(key, value, header));
        String packedConverters = config.isBulk() ? DeadLetterConfig.PREFIX : null;
        return () ->
                new Conversion(factory, config.retryTimeoutMs(), config, onlyWhole, packedConverters, deadLetterTotal);
    }

    /**
     * Provides a conversion for each reader for bulk records, which have no headers. A record that cannot be converted
     * is an error. Throws ConnectException if the converters cannot be created.
     */
    public static Supplier<RecordConversion> forBulk(BulkConfig config) {
        ConverterConfig key = config.converter("key.converter");
        ConverterConfig value = config.converter("value.converter");
        Supplier<Converters> factory = checked(() -> new Converters(key, value, null));
        return () -> new Conversion(factory, config.retryTimeoutMs(), null, false, BulkConfig.INNER_PREFIX, null);
    }

    /** Creates converters once, so that a wrong setting fails the start of the task and not the first poll. */
    private static Supplier<Converters> checked(Supplier<Converters> factory) {
        factory.get().close();
        return factory;
    }

    @Override
    public SourceRecord convert(SourceRecord record, Intake.Backpressure waiting) throws InterruptedException {
        Converted converted = converted(record, waiting);
        Failure failure = failure(record, converted);
        if (failure != null && deadLetter == null) {
            if (record instanceof Refused refused) {
                throw refused.why();
            }
            throw new ConnectException(
                    "The event of source offset " + record.sourceOffset() + ", source partition "
                            + record.sourcePartition() + ", topic " + record.topic()
                            + (failure.stage() == Stage.KAFKA_PRODUCE ? " cannot be sent (" : " cannot be converted (")
                            + failure.stage() + ")",
                    failure.cause());
        }
        if (failure != null) {
            DeadLetter.Letter letter = deadLetter.of(record, converted, failure);
            if (onlyWhole && !(letter.isWhole() && isWhole(record))) {
                throw tooLarge(record, failure);
            }
            count(record, failure);
            return letter.record();
        }
        if (packedConverters != null && converted.headersBy() != null) {
            throw new ConnectException(packedConverters
                    + (converted.headersBy() == Stage.KEY_CONVERTER ? "key.converter" : "value.converter")
                    + " names a converter that adds headers, and bulk records have no headers for events, so that a "
                    + "consumer would lack them: set the converter so that it writes everything into the bytes, or "
                    + "remove " + BulkConfig.ENABLED_CONFIG);
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

    private static ConnectException tooLarge(SourceRecord record, Failure failure) {
        // A converter's message may quote the event. The others name a limit.
        boolean quotes = failure.stage() != Stage.UPSTREAM && failure.stage() != Stage.KAFKA_PRODUCE;
        String cause =
                quotes ? failure.cause().getClass().getName() : failure.cause().getMessage();
        return new ConnectException("A dead letter has no room for the whole event of source offset "
                + record.sourceOffset() + ", source partition " + record.sourcePartition()
                + ", and the upstream deletes an event that has a dead letter. Raise the limit that the cause names, "
                + "otherwise deadletter.max.bytes, or change or delete the event at its source, and restart the task. "
                + "The cause, at " + failure.stage() + ": " + cause);
    }

    private static boolean isWhole(SourceRecord record) {
        return !(record instanceof Refused refused) || refused.isWhole();
    }

    /** Why the record cannot be delivered, or null. What a refused record has is converted for its dead letter. */
    private Failure failure(SourceRecord record, Converted converted) {
        if (record instanceof Refused refused) {
            return new Failure(Stage.UPSTREAM, record.getClass().getName(), refused.why());
        }
        return converted.failure() != null ? converted.failure() : undeliverable(record, converted);
    }

    private Converted converted(SourceRecord record, Intake.Backpressure waiting) throws InterruptedException {
        long begunNanos = System.nanoTime();
        while (true) {
            try {
                Converted converted = converters.convert(record);
                retries.succeeded();
                return converted;
            } catch (org.apache.kafka.connect.errors.RetriableException
                    | org.apache.kafka.common.errors.RetriableException e) {
                long triedMs = (System.nanoTime() - begunNanos) / 1_000_000;
                if (retryTimeoutMs >= 0 && triedMs >= retryTimeoutMs) {
                    // Wrapped, because the reader's loop would take a retriable exception for the upstream's, and lose
                    // the record.
                    throw new ConnectException(
                            "A converter asks for a retry, and errors.retry.timeout has expired. Restart the task when "
                                    + "the converter's service (a schema registry, for example) answers again and "
                                    + "its credentials are right, or raise errors.retry.timeout; -1 is without limit",
                            e);
                }
                retries.asked(RETRY_MS, e);
                // Without acknowledgements during the wait, the upstream might send its events again.
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
            // Connect fails such a record with this text, whatever errors.tolerance is.
            return new Failure(
                    Stage.KAFKA_PRODUCE,
                    PRODUCER,
                    new InvalidRecordException(
                            "The record's timestamp is " + timestampMs + " ms, and Kafka takes none before 1970"));
        }
        return tooLarge(converted);
    }

    private Failure tooLarge(Converted converted) {
        if (config == null) {
            // The producer refuses it, like any record.
            return null;
        }
        long bytes = RecordBytes.of(converted.key(), converted.value(), converted.headers());
        if (bytes <= config.maxBytes()) {
            return null;
        }
        return new Failure(
                Stage.KAFKA_PRODUCE,
                PRODUCER,
                new RecordTooLargeException("The record is " + bytes + " bytes when serialized, and the limit is "
                        + config.maxBytes() + " bytes: raise " + config.limitKey()
                        + ", and the topic's max.message.bytes must allow the record too"));
    }

    private void count(SourceRecord record, Failure failure) {
        long total = deadLetterTotal.incrementAndGet();
        // Logs the first, second, fourth, eighth and so on. The metric counts all, and each dead letter has
        // its own cause.
        if (Long.bitCount(total) == 1) {
            // A converter's message may quote the event, so that it belongs in the dead letter and not in the log.
            log.warn(
                    "An event for topic {} cannot be delivered ({}: {}) and is sent to {} as a dead letter; "
                            + "{} dead letters so far",
                    record.topic(),
                    failure.stage(),
                    failure.cause().getClass().getName(),
                    config.topic(),
                    total);
        }
    }

    @Override
    public void open() {
        converters = factory.get();
    }

    @Override
    public void close() {
        if (converters != null) {
            converters.close();
            converters = null;
        }
    }
}
