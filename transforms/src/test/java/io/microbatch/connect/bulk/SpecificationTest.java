package io.microbatch.connect.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares docs/bulk-format.md with the code. */
class SpecificationTest {

    private final String page;

    SpecificationTest() throws IOException {
        page = Files.readString(Path.of("../docs/bulk-format.md"));
    }

    @Test
    void showsTheGoldenRecordAsItsExample() throws IOException {
        Matcher example = Pattern.compile("```hex\n(.*?)```", Pattern.DOTALL).matcher(page);
        assertThat(example.find()).isTrue();
        try (InputStream golden = getClass().getResourceAsStream("v1-full.hex")) {
            assertThat(example.group(1)).isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void namesTheSettingsWithTheirDefaults() {
        assertThat(page)
                .containsPattern(
                        "\\| " + BulkLimits.DEFAULT_MAX_RECORD_BYTES + ",.*" + BulkReaderConfig.MAX_RECORD_BYTES_CONFIG)
                .containsPattern("\\| " + BulkLimits.DEFAULT_MAX_EVENTS + ",.*" + BulkReaderConfig.MAX_EVENTS_CONFIG)
                .contains("about " + BulkLimits.HEAP_BYTES_PER_EVENT + " bytes of objects an event")
                .contains(BulkConverter.INNER_CONVERTER_CONFIG);
    }
}
