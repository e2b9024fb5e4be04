package io.microbatch.connect.common;

import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;

/**
 * The schema of a dead letter's key, value and headers with {@code deadletter.mode=try}. Its name distinguishes the
 * bytes of a dead letter, which are final, from events that are still to be converted. Stateless; any thread.
 */
public final class DeadLetterSchema {

    private static final String NAME = "io.microbatch.connect.DeadLetter";

    /** Optional bytes with the name that marks a dead letter. */
    public static final Schema BYTES =
            SchemaBuilder.bytes().optional().name(NAME).build();

    private DeadLetterSchema() {}

    /** Whether the schema marks a dead letter and the part is still bytes or null. */
    public static boolean marks(Schema schema, Object part) {
        return schema != null && NAME.equals(schema.name()) && (part == null || part instanceof byte[]);
    }
}
