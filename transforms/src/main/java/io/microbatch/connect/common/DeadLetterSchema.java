package io.microbatch.connect.common;

import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;

/**
 * The schema of a dead letter's key, value and headers where events go through transforms and converters as they are:
 * by its name those that meet both can tell a letter, whose bytes are final, from an event. Stateless; any thread.
 */
public final class DeadLetterSchema {

    private static final String NAME = "io.microbatch.connect.DeadLetter";

    /** Optional bytes with the name that marks a letter. */
    public static final Schema BYTES =
            SchemaBuilder.bytes().optional().name(NAME).build();

    private DeadLetterSchema() {}

    /** Whether this is the schema of a letter's part, and the part still is what the letter was made with. */
    public static boolean marks(Schema schema, Object part) {
        return schema != null && NAME.equals(schema.name()) && (part == null || part instanceof byte[]);
    }
}
