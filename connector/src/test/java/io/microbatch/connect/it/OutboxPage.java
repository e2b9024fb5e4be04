package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The statements of docs/outbox.md, each of which has a mark in the page. Stateless. */
public final class OutboxPage {

    private static final Path PAGE = Path.of(System.getProperty("config.examples"))
            .resolveSibling("docs")
            .resolve("outbox.md");

    private OutboxPage() {}

    /** The statements behind a mark. */
    public static String sql(String mark) throws IOException {
        return block(mark, "sql");
    }

    /** The block behind a mark, in this language. */
    public static String block(String mark, String language) throws IOException {
        String page = Files.readString(PAGE);
        String fence = "<!-- " + mark + " -->\n```" + language + "\n";
        assertThat(page).contains(fence);
        int begin = page.indexOf(fence) + fence.length();
        return page.substring(begin, page.indexOf("```", begin));
    }
}
