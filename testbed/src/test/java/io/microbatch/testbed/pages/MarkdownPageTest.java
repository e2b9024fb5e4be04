package io.microbatch.testbed.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MarkdownPageTest {

    private static MarkdownPage page(String... lines) {
        return new MarkdownPage("page.md", String.join("\n", lines));
    }

    @Test
    void findsTheCommandsOfShellsWithTheirLines() {
        MarkdownPage page = page(
                "# Title",
                "```bash",
                "one # not this",
                "",
                "two",
                "```",
                "```json",
                "{}",
                "```",
                "  ```sh",
                "  three",
                "  ```");

        assertThat(page.commands())
                .containsExactly(
                        new PageCommand("page.md", 3, "one"),
                        new PageCommand("page.md", 5, "two"),
                        new PageCommand("page.md", 11, "three"));
    }

    @Test
    void joinsLinesThatABackslashOrAQuotationMarkContinues() {
        MarkdownPage page = page("```bash", "one \\", "    --two  # three", "awk '{ a }", "  # b' four", "five", "```");

        assertThat(page.commands())
                .containsExactly(
                        new PageCommand("page.md", 2, "one --two"),
                        new PageCommand("page.md", 4, "awk '{ a }\n  # b' four"),
                        new PageCommand("page.md", 6, "five"));
    }

    @Test
    void findsCodeInTheRunningTextOnly() {
        MarkdownPage page = page("Run `one --two` or `three`.", "```bash", "echo `four`", "```");

        assertThat(page.spans()).extracting(PageCommand::text).containsExactly("one --two", "three");
    }

    @Test
    void takesPipesListsLoopsAndRedirectionsApart() {
        assertThat(ShellText.programs("cd a && curl -d '{\"b\": 1}' \"c;d\" < in | sort > out &"))
                .containsExactly(List.of("cd", "a"), List.of("curl", "-d", "{\"b\": 1}", "c;d"), List.of("sort"));
        assertThat(ShellText.programs("for i in $(seq 3); do echo \"{\\\"i\\\":$i}\"; done"))
                .containsExactly(List.of("for", "i", "in"), List.of("seq", "3"), List.of("echo", "{\"i\":$i}"));
    }
}
