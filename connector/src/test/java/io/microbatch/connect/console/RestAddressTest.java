package io.microbatch.connect.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RestAddressTest {

    @Test
    void isOfHttpOrHttps() {
        assertThat(RestAddress.of("http://worker:8083/")).isEqualTo(URI.create("http://worker:8083/"));
        assertThat(RestAddress.of("https://worker")).isEqualTo(URI.create("https://worker"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"worker:8083", "ftp://worker", "", "http://me:hunter2@worker:8083", "http://me:hun ter2@worker"})
    void isRefusedWithoutBeingRepeated(String text) {
        assertThatThrownBy(() -> RestAddress.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .startsWith("the ")
                .doesNotContain("hun");
    }

    @Test
    void isCheckedBeforeAdviceIsAskedFor() throws InterruptedException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            assertThat(AdviseCommand.run(URI.create("http://me:hunter2@127.0.0.1:9"), 100, null, out))
                    .isFalse();
        }
        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .contains("takes no user: set CONNECT_AUTHORIZATION")
                .doesNotContain("hunter2");
    }
}
