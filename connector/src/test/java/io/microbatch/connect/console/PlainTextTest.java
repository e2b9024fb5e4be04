package io.microbatch.connect.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlainTextTest {

    @Test
    void replacesWhatWouldControlATerminal() {
        assertThat(PlainText.of("a\u001b[2Jb\rc\u0007d\u009be\u007f")).isEqualTo("a?[2Jb?c?d?e?");
        assertThat(PlainText.of("two\nlines\tand ü, €, 😀")).isEqualTo("two\nlines\tand ü, €, 😀");
    }
}
