package io.microbatch.connect.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class AuthorizationHeaderTest {

    private static final URI NOBODY = URI.create("http://127.0.0.1:9");

    @Test
    void isAddedAsItIs() {
        HttpRequest.Builder request = HttpRequest.newBuilder(NOBODY);
        AuthorizationHeader.of("Bearer !~ a").addTo(request);
        assertThat(request.build().headers().allValues("Authorization")).containsExactly("Bearer !~ a");
    }

    @Test
    void isLeftOutWhereThereIsNone() {
        for (String none : new String[] {null, "", " \n"}) {
            HttpRequest.Builder request = HttpRequest.newBuilder(NOBODY);
            AuthorizationHeader.of(none).addTo(request);
            assertThat(request.build().headers().map()).isEmpty();
        }
    }

    @Test
    void showsNothingInItsText() {
        assertThat(AuthorizationHeader.of("Bearer abc")).hasToString("AuthorizationHeader[set]");
        assertThat(AuthorizationHeader.of(null)).hasToString("AuthorizationHeader[none]");
    }

    @Test
    void isCheckedBeforeAdviceIsAskedFor() throws InterruptedException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            assertThat(AdviseCommand.run(NOBODY, 100, "Bearer abc\n", out)).isFalse();
        }
        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .startsWith("CONNECT_AUTHORIZATION has a line break.")
                .doesNotContain("abc");
    }
}
