package io.microbatch.connect.upstream.outbox;

import io.microbatch.connect.config.OutboxConfig;
import io.microbatch.connect.config.TopicName;
import io.microbatch.connect.upstream.Refused;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Makes the record of a row as Debezium's event router does: topic, key, value, and the event's identity in a header.
 * Immutable; any thread.
 */
final class RowMapper {

    private static final String ID_HEADER = "id";

    /**
     * How far a row's timestamp may be ahead of our clock, in milliseconds. A broker refuses an hour by default, and a
     * record that the broker refuses fails the task.
     */
    private static final long MAX_AHEAD_MS = 30 * 60 * 1_000;

    private final OutboxConfig config;
    private final LongSupplier epochMillis;

    RowMapper(OutboxConfig config, LongSupplier epochMillis) {
        this.config = config;
        this.epochMillis = epochMillis;
    }

    /** Returns the row's record, or one that is refused. */
    SourceRecord record(OutboxRow row, Map<String, ?> partition, Map<String, ?> offset) {
        String topic = config.topic().replace(OutboxConfig.ROUTE, row.route() == null ? "" : row.route());
        String problem = problem(row, topic);
        if (problem != null) {
            return new RefusedRow(
                    row,
                    timestampProblem(row) == null ? row.timestampMs() : null,
                    headers(row),
                    topic,
                    partition,
                    offset,
                    "The row of number " + row.seq() + " cannot be sent: " + problem + ofCorrection(),
                    !isTooLarge(row));
        }
        boolean isEmpty = row.payloadBytes() == 0;
        boolean isTombstone = config.tombstoneOnEmpty() && isEmpty;
        Object value = isTombstone ? null : row.payload();
        return new SourceRecord(
                partition,
                offset,
                topic,
                null,
                row.key() == null ? null : Schema.STRING_SCHEMA,
                row.key(),
                isTombstone ? null : schemaOf(row),
                value,
                row.timestampMs(),
                headers(row));
    }

    /** What a statement must do that corrects the row. With one shard there is nothing to say. */
    private String ofCorrection() {
        return config.shards() == 1
                ? ""
                : ". A statement that changes its column " + config.columns().key() + " must also set "
                        + config.columns().xid() + " = DEFAULT, because another shard may take the row for read";
    }

    private static Schema schemaOf(OutboxRow row) {
        return row.isBytes() ? Schema.OPTIONAL_BYTES_SCHEMA : Schema.OPTIONAL_STRING_SCHEMA;
    }

    private ConnectHeaders headers(OutboxRow row) {
        ConnectHeaders headers = new ConnectHeaders();
        headers.add(ID_HEADER, row.id(), Schema.OPTIONAL_STRING_SCHEMA);
        for (int i = 0; i < row.fields().size(); i++) {
            headers.add(config.fields().get(i).header(), row.fields().get(i), Schema.OPTIONAL_STRING_SCHEMA);
        }
        return headers;
    }

    /** Whether a part of the row was not read, because it is too large. */
    private boolean isTooLarge(OutboxRow row) {
        return Math.max(row.payloadBytes(), row.otherBytes()) > config.maxPayloadBytes();
    }

    /** Why the row cannot be sent, or null. The texts quote nothing of the row, because they are logged. */
    private String problem(OutboxRow row, String topic) {
        if (row.payloadBytes() > config.maxPayloadBytes()) {
            return "its payload has " + row.payloadBytes() + " bytes, and upstream.outbox.max.payload.bytes is "
                    + config.maxPayloadBytes();
        }
        if (row.otherBytes() > config.maxPayloadBytes()) {
            return "its other columns have " + row.otherBytes() + " bytes, and upstream.outbox.max.payload.bytes is "
                    + config.maxPayloadBytes();
        }
        String timestampProblem = timestampProblem(row);
        if (timestampProblem != null) {
            return timestampProblem;
        }
        boolean isRouted = config.topic().contains(OutboxConfig.ROUTE);
        if (isRouted && (row.route() == null || row.route().isEmpty())) {
            return "its column for the topic is empty";
        }
        if (!TopicName.isLegal(topic)) {
            return "its column for the topic makes a name that Kafka does not allow";
        }
        boolean isAllowed =
                config.topics().map(topics -> topics.matcher(topic).matches()).orElse(true);
        return isAllowed ? null : "upstream.outbox.topics does not allow its topic";
    }

    /** Why Kafka does not take the row's timestamp, or null. */
    private String timestampProblem(OutboxRow row) {
        if (row.timestampMs() == null) {
            return null;
        }
        if (!row.hasTime()) {
            return "its timestamp, " + row.timestampMs()
                    + " ms since 1970, is before 1970 or infinite, and Kafka has no " + "such time";
        }
        return row.timestampMs() > epochMillis.getAsLong() + MAX_AHEAD_MS
                ? "its timestamp, " + row.timestampMs() + " ms since 1970, is more than 30 minutes ahead, and a broker "
                        + "refuses an hour by default"
                : null;
    }

    /** A row that cannot be sent. Its payload is kept if it was read, and its timestamp if a letter can have it. */
    private static final class RefusedRow extends SourceRecord implements Refused {

        private final String problem;
        private final boolean isWhole;

        RefusedRow(
                OutboxRow row,
                Long timestampMs,
                ConnectHeaders headers,
                String topic,
                Map<String, ?> partition,
                Map<String, ?> offset,
                String problem,
                boolean isWhole) {
            super(
                    partition,
                    offset,
                    topic,
                    null,
                    row.key() == null ? null : Schema.STRING_SCHEMA,
                    row.key(),
                    schemaOf(row),
                    row.payload(),
                    timestampMs,
                    headers);
            this.problem = problem;
            this.isWhole = isWhole;
        }

        @Override
        public ConnectException why() {
            return new ConnectException(problem);
        }

        @Override
        public boolean isWhole() {
            return isWhole;
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }
}
