package io.microbatch.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ContenderSettingsTest {

    private final ContenderSettings settings = new ContenderSettings();

    @Test
    void theFirstSettingsOfAContenderCount() {
        settings.add("adaptive", Map.of("a", "1"));
        settings.add("adaptive", Map.of("a", "2"));
        assertThat(settings.all()).isEqualTo(Map.of("adaptive", Map.of("a", "1")));
    }

    @Test
    void aSituationWithOtherSettingsIsNamed() {
        settings.add("adaptive", "size bytes 100", Map.of("a", "100"));
        settings.add("adaptive", "size bytes 1000", Map.of("a", "1000"));
        settings.add("adaptive", "size bytes 1000", Map.of("a", "1000"));
        settings.add("naive", "size bytes 100", Map.of("b", "1"));
        settings.add("naive", "size bytes 1000", Map.of("b", "1"));
        assertThat(settings.all())
                .isEqualTo(Map.of(
                        "adaptive", Map.of("a", "100"),
                        "adaptive, size bytes 1000", Map.of("a", "1000"),
                        "naive", Map.of("b", "1")));
    }
}
