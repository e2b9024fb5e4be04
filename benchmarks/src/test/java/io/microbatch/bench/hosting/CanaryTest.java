package io.microbatch.bench.hosting;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CanaryTest {

    @TempDir
    private Path directory;

    @Test
    void isInTheFileThatThePlaceholderNamesAndNotInThePlaceholder() throws IOException {
        Canary canary = new Canary(directory);
        Path file = directory.resolve("secrets.properties");
        Properties properties = new Properties();
        try (InputStream stream = new FileInputStream(file.toFile())) {
            properties.load(stream);
        }

        assertThat(properties).containsEntry("password", canary.value());
        assertThat(canary.placeholder())
                .isEqualTo("${file:" + file.toAbsolutePath() + ":password}")
                .doesNotContain(canary.value());
        assertThat(new Canary(directory).value()).isNotEqualTo(canary.value());
    }

    @Test
    void isFoundInTheConfigurationOfATask() throws IOException {
        Canary canary = new Canary(directory);
        canary.lookAt("sound", tasks(canary.placeholder()));
        assertThat(canary.found()).isEmpty();
        canary.lookAt("leaking", tasks("jdbc:" + canary.value() + "@host"));
        assertThat(canary.found()).containsExactly("GET /connectors/leaking/tasks");
    }

    @Test
    void isFoundInARecordOfTheConfigTopic() {
        Canary canary = new Canary(directory);
        canary.lookAt(Records.record("connector-sound", canary.placeholder()));
        canary.lookAt(Records.record("connector-deleted", null));
        assertThat(canary.found()).isEmpty();
        canary.lookAt(Records.record("task-leaking-0", "{\"password\":\"" + canary.value() + "\"}"));
        canary.lookAt(new ConsumerRecord<>("topic", 0, 0, null, canary.value().getBytes(StandardCharsets.UTF_8)));
        assertThat(canary.found()).containsExactly("config topic: task-leaking-0", "config topic: ");
    }

    private static JsonNode tasks(String password) {
        return new ObjectMapper()
                .createArrayNode()
                .add(new ObjectMapper().createObjectNode().put("password", password));
    }
}
