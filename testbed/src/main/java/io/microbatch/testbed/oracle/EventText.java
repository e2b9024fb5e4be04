package io.microbatch.testbed.oracle;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/** An event as a line of text with a hash, as it is stored in the file and in the table. Stateless. */
public final class EventText {

    private static final Pattern FORM = Pattern.compile("run=(-?\\d+) part=(\\d+) seq=(\\d+) ms=(\\d+) crc=(\\d+)");

    private EventText() {}

    /** The line of an event. */
    public static String of(Event event) {
        String text = "run=" + event.run() + " part=" + event.partition() + " seq=" + event.sequence() + " ms="
                + event.madeEpochMs();
        return text + " crc=" + crc(text);
    }

    /** The event at any place in this text. Null if there is none, or if its hash is wrong. */
    public static Event find(byte[] value) {
        if (value == null) {
            return null;
        }
        String text = new String(value, StandardCharsets.UTF_8);
        Matcher form = FORM.matcher(text);
        if (!form.find()) {
            return null;
        }
        Event event = new Event(
                Long.parseLong(form.group(1)),
                Integer.parseInt(form.group(2)),
                Long.parseLong(form.group(3)),
                Long.parseLong(form.group(4)));
        return of(event).equals(form.group()) ? event : null;
    }

    private static long crc(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.US_ASCII));
        return crc.getValue();
    }
}
