package io.microbatch.bench.hosting;

import com.fasterxml.jackson.databind.JsonNode;

/** One word for each change, the same in the journal and read from a change event. Stateless. */
final class ChangeTokens {

    private ChangeTokens() {}

    static String upserted(String note) {
        return "row " + note;
    }

    static String deleted(String noteBefore) {
        return "deleted " + noteBefore;
    }

    static String tombstone(long id) {
        return "tombstone " + id;
    }

    static String truncatedAfter(String lastNote) {
        return "truncated after " + lastNote;
    }

    /**
     * The word of a record's value.
     *
     * @param key null if the record has none
     * @param value null of a tombstone
     * @param lastNote the note of the last row that was inserted before it into the table
     */
    static String of(JsonNode key, JsonNode value, String lastNote) {
        if (value == null || value.isNull()) {
            return tombstone(key.path("id").asLong());
        }
        return switch (value.path("op").asText()) {
            case "c", "u", "r" -> upserted(note(value, "after"));
            case "d" -> deleted(note(value, "before"));
            case "t" -> truncatedAfter(lastNote);
            default -> "unknown";
        };
    }

    static String note(JsonNode value, String image) {
        return value.path(image).path("note").asText();
    }
}
