package io.microbatch.connect.bulk;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A record that every later version must read. {@code <name>.hex} has its bytes. {@code <name>.events} has a line per
 * event: timestamp, key and value in hex, {@code -} for none and {@code ""} for empty.
 */
record Golden(String name, byte[] record, List<BulkEvent> events) {

    private static final HexFormat HEX = HexFormat.of();

    static List<Golden> all() {
        return names().stream().map(Golden::of).toList();
    }

    static List<String> names() {
        return List.of("v1-plain", "v1-full", "v1-none");
    }

    static Golden of(String name) {
        StringBuilder digits = new StringBuilder();
        lines(name + ".hex").forEach(line -> digits.append(line.replace(" ", "")));
        List<BulkEvent> events = new ArrayList<>();
        for (String line : lines(name + ".events")) {
            List<String> fields = List.of(line.split(" +", -1));
            long timestampMs = fields.get(0).equals("-") ? BulkFormat.NO_TIMESTAMP : Long.parseLong(fields.get(0));
            events.add(new BulkEvent(bytes(fields.get(1)), timestampMs, bytes(fields.get(2))));
        }
        return new Golden(name, HEX.parseHex(digits), events);
    }

    /** The inputs of a file with one input per line. */
    static List<byte[]> inputs(String file) {
        return lines(file).stream()
                .map(line -> HEX.parseHex(line.replace(" ", "")))
                .toList();
    }

    private static byte[] bytes(String field) {
        return field.equals("-") ? null : HEX.parseHex(field.replace("\"", ""));
    }

    /** The lines without comments and blank lines. */
    private static List<String> lines(String file) {
        try (InputStream in = Golden.class.getResourceAsStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.replaceFirst("#.*", "").strip())
                    .filter(line -> !line.isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
