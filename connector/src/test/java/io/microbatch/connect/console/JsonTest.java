package io.microbatch.connect.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void readsWhatItWrites() throws IOException {
        Map<String, Object> tree =
                Map.of("a", List.of(1L, 2.5, "x\n\u00e9\"", true), "b", Map.of(), "c", Arrays.asList((Object) null));
        assertThat(Json.read(Json.write(tree))).isEqualTo(tree);
    }

    @Test
    void writesNullForANumberThatIsNotKnown() {
        assertThat(new String(Json.write(Arrays.asList(Double.NaN, 1.0 / 0, 3)), StandardCharsets.UTF_8))
                .isEqualTo("[null,null,3]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[1,", "{\"a\":}", "nonsense"})
    void refusesWhatIsNotJson(String text) {
        assertThatThrownBy(() -> Json.read(bytes(text))).isInstanceOf(IOException.class);
    }

    @Test
    void refusesWhatIsTooDeep() {
        assertThatThrownBy(() -> Json.read(bytes("[".repeat(100) + "]".repeat(100))))
                .isInstanceOf(IOException.class);
    }
}
