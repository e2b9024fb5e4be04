package io.microbatch.testbed.pages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Markdown file of the checkout.
 *
 * @param name its path in the checkout, with slashes
 * @param text its content
 */
public record MarkdownPage(String name, String text) {

    private static final Pattern FENCE = Pattern.compile("^( *)(?:```|~~~)(\\w*).*$");
    private static final Pattern SPAN = Pattern.compile("`([^`]+)`");
    private static final Set<String> SHELLS = Set.of("bash", "sh", "shell", "console", "zsh");

    /**
     * Every Markdown file of a checkout but the results of a build and hidden ones.
     *
     * @throws UncheckedIOException if one cannot be read
     */
    public static List<MarkdownPage> allOf(Path checkout) {
        try (Stream<Path> files = Files.walk(checkout)) {
            return files.map(checkout::relativize)
                    .filter(file -> file.toString().endsWith(".md"))
                    .filter(MarkdownPage::isSource)
                    .map(file -> of(checkout, file.toString().replace('\\', '/')))
                    .sorted((one, other) -> one.name().compareTo(other.name()))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isSource(Path file) {
        for (Path part : file) {
            String name = part.toString();
            if (name.startsWith(".") || name.equals("target") || name.equals("node_modules")) {
                return false;
            }
        }
        return true;
    }

    /**
     * Reads a page.
     *
     * @throws UncheckedIOException if it cannot be read
     */
    public static MarkdownPage of(Path checkout, String name) {
        try {
            return new MarkdownPage(name, Files.readString(checkout.resolve(name)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The commands of the blocks that are marked as those of a shell. */
    public List<PageCommand> commands() {
        List<PageCommand> commands = new ArrayList<>();
        StringBuilder block = null;
        boolean isShell = false;
        int indent = 0;
        int begun = 0;
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            Matcher fence = FENCE.matcher(line);
            if (!fence.matches()) {
                if (block != null) {
                    block.append(line.substring(Math.min(indent, line.length())))
                            .append('\n');
                }
            } else if (block == null) {
                block = new StringBuilder();
                isShell = SHELLS.contains(fence.group(2));
                indent = fence.group(1).length();
                begun = number + 1;
            } else {
                if (isShell) {
                    for (ShellText.Line each : ShellText.lines(block.toString())) {
                        commands.add(new PageCommand(name, begun + each.offset(), each.text()));
                    }
                }
                block = null;
            }
        }
        return commands;
    }

    /** The code in the running text, each as a command. */
    public List<PageCommand> spans() {
        List<PageCommand> spans = new ArrayList<>();
        boolean isFenced = false;
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (FENCE.matcher(line).matches()) {
                isFenced = !isFenced;
            } else if (!isFenced) {
                int at = number;
                SPAN.matcher(line).results().forEach(span -> spans.add(new PageCommand(name, at, span.group(1))));
            }
        }
        return spans;
    }
}
