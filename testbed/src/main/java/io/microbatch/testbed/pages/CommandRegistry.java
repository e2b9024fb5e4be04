package io.microbatch.testbed.pages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How each command of the pages is tried, as {@code build/page-commands} says. A test that runs commands takes them
 * from here, so that it runs what the file promises. Immutable.
 */
public final class CommandRegistry {

    private static final String FILE = "build/page-commands";
    private static final String TEST = "test ";
    private static final int FIELDS = 3;

    private final Path checkout;
    private final List<Entry> entries = new ArrayList<>();

    /**
     * A line of the file.
     *
     * @param page the page
     * @param how {@code test} and the name of a test, or one of the other words that the file explains
     * @param start how the commands begin that it is about
     */
    public record Entry(String page, String how, String start) {

        /** The simple name of the test class that runs the commands, if a test does. */
        public Optional<String> test() {
            return how.startsWith(TEST) ? Optional.of(how.substring(TEST.length())) : Optional.empty();
        }

        private boolean matches(PageCommand command) {
            return page.equals(command.page()) && command.text().startsWith(start);
        }
    }

    /**
     * Reads the file.
     *
     * @param checkout the root of the checkout
     * @throws UncheckedIOException if the file cannot be read
     * @throws IllegalArgumentException if a line has another form
     */
    public CommandRegistry(Path checkout) {
        this.checkout = checkout;
        try {
            for (String line : Files.readAllLines(checkout.resolve(FILE))) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    String[] fields = line.split(" \\| ", FIELDS);
                    if (fields.length != FIELDS) {
                        throw new IllegalArgumentException(FILE + " has a line without three fields: " + line);
                    }
                    entries.add(new Entry(fields[0].strip(), fields[1].strip(), fields[2].strip()));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every line. */
    public List<Entry> entries() {
        return List.copyOf(entries);
    }

    /** The line about a command: the one with the longest start. */
    public Optional<Entry> entryOf(PageCommand command) {
        return entries.stream()
                .filter(entry -> entry.matches(command))
                .max(Comparator.comparingInt(entry -> entry.start().length()));
    }

    /** The commands of a page that a test has to run, in the order of the page. */
    public List<PageCommand> commands(String page, Class<?> test) {
        return MarkdownPage.of(checkout, page).commands().stream()
                .filter(command -> entryOf(command)
                        .flatMap(Entry::test)
                        .filter(test.getSimpleName()::equals)
                        .isPresent())
                .toList();
    }
}
