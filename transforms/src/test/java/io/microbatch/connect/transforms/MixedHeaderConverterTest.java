package io.microbatch.connect.transforms;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MixedHeaderConverterTest {

    private final MixedHeaderConverter converter = new MixedHeaderConverter();

    @BeforeEach
    void configure() {
        converter.configure(Map.of());
    }

    @AfterEach
    void close() throws Exception {
        converter.close();
    }

    private String written(Schema schema, Object value) {
        return new String(converter.fromConnectHeader("t", "h", schema, value), StandardCharsets.UTF_8);
    }

    @Test
    void writesBytesUnchanged() {
        byte[] bytes = {0, (byte) 0xff, 7};
        assertThat(converter.fromConnectHeader("t", "h", Schema.OPTIONAL_BYTES_SCHEMA, bytes))
                .containsExactly(bytes);
        assertThat(converter.fromConnectHeader("t", "h", Schema.OPTIONAL_BYTES_SCHEMA, null))
                .isNull();
    }

    @Test
    void writesOtherValuesAsText() {
        assertThat(written(Schema.INT32_SCHEMA, 7)).isEqualTo("7");
        assertThat(written(Schema.INT64_SCHEMA, 1_795_262_400_123L)).isEqualTo("1795262400123");
        assertThat(written(Schema.FLOAT64_SCHEMA, 2.5)).isEqualTo("2.5");
        assertThat(written(Schema.STRING_SCHEMA, "abc")).isEqualTo("abc");
        assertThat(written(null, "without a schema")).isEqualTo("without a schema");
    }

    @Test
    void readsEveryHeaderAsText() {
        assertThat(converter
                        .toConnectHeader("t", "h", "abc".getBytes(StandardCharsets.UTF_8))
                        .value())
                .isEqualTo("abc");
        assertThat(converter.toConnectHeader("t", "h", null).value()).isNull();
    }

    @Test
    void reportsItsVersion() {
        assertThat(converter.version()).isNotEqualTo("undefined");
        assertThat(converter.config().names()).isEmpty();
    }
}
