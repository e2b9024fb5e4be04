package io.microbatch.bench.http.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class IngestHandlerTest {

    @Test
    void takesEachLineWithSomethingInItAsAValue() {
        assertThat(texts(IngestHandler.lines(bytes("\"a\"\n\n\"b\"\n")))).containsExactly("\"a\"", "\"b\"");
        assertThat(texts(IngestHandler.lines(bytes("\"a\"")))).containsExactly("\"a\"");
        assertThat(IngestHandler.lines(bytes(""))).isEmpty();
    }

    @Test
    void takesTheValueOfEachRecord() throws IOException {
        assertThat(texts(IngestHandler.records(bytes("{\"records\":[{\"value\":\"a\"},{\"value\": {\"b\": 1}}]}"))))
                .containsExactly("\"a\"", "{\"b\":1}");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static List<String> texts(List<byte[]> values) {
        return values.stream()
                .map(value -> new String(value, StandardCharsets.UTF_8))
                .toList();
    }
}
