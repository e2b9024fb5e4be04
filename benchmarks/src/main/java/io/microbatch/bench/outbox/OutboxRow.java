package io.microbatch.bench.outbox;

import io.microbatch.bench.rows.LiveConsumer;
import io.microbatch.bench.rows.RandomText;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A row of the outbox. Everything else in it follows from these numbers, so that a record can be compared without the
 * row, which is deleted.
 *
 * @param account the key; its rows are committed one after the other
 * @param seq counts the account's rows from 0
 * @param phase the part of the load that wrote it
 * @param dueMicros when its transaction was due, in microseconds since the epoch
 */
record OutboxRow(int account, long seq, int phase, long dueMicros) {

    private static final int FILLER_CHARS = 100;
    private static final int ACCOUNT_SHIFT = 40;

    /** As PostgreSQL prints jsonb: with blanks, the short names first. */
    private static final Pattern PAYLOAD = Pattern.compile("\\{\"n\": (\\d{1,18}), \"due\": (\\d{1,18}), "
            + "\"phase\": (\\d{1,9}), \"filler\": \"[-0-9a-z]*\", \"account\": (\\d{1,9})}");

    /** The row of a payload with this form, whatever its filler. */
    static Optional<OutboxRow> parse(byte[] payload) {
        if (payload == null) {
            return Optional.empty();
        }
        Matcher parts = PAYLOAD.matcher(new String(payload, StandardCharsets.UTF_8));
        return parts.matches()
                ? Optional.of(new OutboxRow(
                        Integer.parseInt(parts.group(4)),
                        Long.parseLong(parts.group(1)),
                        Integer.parseInt(parts.group(3)),
                        Long.parseLong(parts.group(2))))
                : Optional.empty();
    }

    /** For the latency of a record. */
    static Optional<LiveConsumer.Origin> origin(ConsumerRecord<byte[], byte[]> record) {
        return parse(record.value()).map(row -> new LiveConsumer.Origin(row.phase, row.dueMicros));
    }

    /** What is in the column {@code payload}. */
    String payload() {
        SplittableRandom random = new SplittableRandom(dueMicros * 31 + ((long) account << ACCOUNT_SHIFT) + seq);
        return "{\"n\": " + seq + ", \"due\": " + dueMicros + ", \"phase\": " + phase + ", \"filler\": \""
                + RandomText.of(random, FILLER_CHARS) + "\", \"account\": " + account + "}";
    }

    /** What is in the column {@code aggregateid}. */
    String key() {
        return "account-" + account;
    }

    /** What is in the column {@code id}: another one in each turn. */
    UUID id(int turn) {
        return new UUID(turn, ((long) account << ACCOUNT_SHIFT) + seq);
    }
}
