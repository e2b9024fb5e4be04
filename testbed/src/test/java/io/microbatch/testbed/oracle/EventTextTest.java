package io.microbatch.testbed.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class EventTextTest {

    private static final Event EVENT = new Event(-7, 2, 345, 1_700_000_000_000L);

    @Test
    void isFoundInsideOfAnyText() {
        String text = "{\"after\":{\"note\":\"" + EventText.of(EVENT) + "\"}}";

        assertThat(EventText.find(bytes(text))).isEqualTo(EVENT);
    }

    @Test
    void isCorruptWithAnyDigitChanged() {
        assertThat(EventText.find(bytes(EventText.of(EVENT).replace("seq=345", "seq=346"))))
                .isNull();
        assertThat(EventText.find(bytes("nothing of the kind"))).isNull();
        assertThat(EventText.find(null)).isNull();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
