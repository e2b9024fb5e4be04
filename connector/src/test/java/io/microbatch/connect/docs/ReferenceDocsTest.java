package io.microbatch.connect.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.metrics.Metric;
import io.microbatch.connect.metrics.MetricName;
import io.microbatch.connect.upstream.http.HttpMetric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares the generated references with the code. {@code -Ddocs.write=true} writes them. */
class ReferenceDocsTest {

    private static final Path DOCS = Path.of("..", "docs");

    @Test
    void metrics() throws IOException {
        compare("metrics.md", MetricsPage.text());
    }

    @Test
    void settings() throws IOException {
        assertThat(ConfigsPage.unmatched())
                .as("keys without advice, and advice without a key")
                .isEmpty();
        compare("configs.md", ConfigsPage.text());
    }

    @Test
    void everyMetricHasAUniqueNameAndAUnit() {
        List<MetricName> metrics = Stream.<MetricName>concat(Stream.of(Metric.values()), Stream.of(HttpMetric.values()))
                .toList();
        assertThat(metrics)
                .extracting(MetricName::label)
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("[a-z][a-z0-9-]*"));
        assertThat(metrics)
                .allSatisfy(metric -> assertThat(metric.unit()).isNotBlank())
                .allSatisfy(
                        metric -> assertThat(metric.description()).endsWith(".").doesNotContain("|"));
    }

    private static void compare(String name, String generated) throws IOException {
        Path page = DOCS.resolve(name);
        if (Boolean.getBoolean("docs.write")) {
            assertThat(Files.writeString(page, generated)).exists();
        }
        assertThat(page)
                .as("generated from the code: write it again with -Ddocs.write=true")
                .hasContent(generated);
    }
}
