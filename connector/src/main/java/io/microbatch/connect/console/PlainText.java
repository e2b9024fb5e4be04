package io.microbatch.connect.console;

/** Makes the text of a worker safe for a terminal. Stateless; any thread. */
public final class PlainText {

    private static final char REPLACED = '?';

    private PlainText() {}

    /** The text with a question mark for each control character, except line breaks and tabulators. */
    public static String of(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        text.chars()
                .mapToObj(c -> (char) c)
                .forEach(c -> plain.append(c != '\n' && c != '\t' && Character.isISOControl(c) ? REPLACED : c));
        return plain.toString();
    }
}
