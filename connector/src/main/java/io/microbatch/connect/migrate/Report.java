package io.microbatch.connect.migrate;

import io.microbatch.connect.console.PlainText;
import io.microbatch.connect.console.Secrets;
import java.io.PrintStream;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What an operator reads. Texts of the worker can repeat values of a configuration, so every secret in them is
 * replaced. One thread.
 */
final class Report {

    private static final Comparator<String> LONGEST_FIRST =
            Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder());

    private final PrintStream out;
    private final SortedSet<String> hidden = new TreeSet<>(LONGEST_FIRST);

    Report(PrintStream out) {
        this.out = out;
    }

    /** Hides the secrets of a configuration from now on. */
    void hide(Map<String, String> config, Secrets secrets) {
        config.forEach((key, value) -> {
            if (!value.isBlank() && secrets.hides(key, value)) {
                hidden.add(value);
                hidden.add(value.trim());
            }
        });
    }

    /** A line of this program's own, which may contain texts of a worker. */
    void line(String text) {
        out.println(PlainText.of(text));
    }

    /** Lines of this program's own, under a heading. */
    void lines(String heading, List<String> texts) {
        line(heading);
        texts.forEach(text -> line("  " + text));
    }

    /** The text of a worker without secrets. */
    String masked(String text) {
        String shown = text;
        for (String secret : hidden) {
            shown = shown.replace(secret, ConfigDiff.HIDDEN);
        }
        return shown;
    }
}
