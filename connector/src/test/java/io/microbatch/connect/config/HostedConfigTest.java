package io.microbatch.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HostedConfigTest {

    @Test
    void passesTheHostedConnectorItsSettingsAsAWorkerWould() {
        Map<String, String> own = HostedConfig.ownSettings(Map.of(
                "name", "orders",
                "tasks.max", "4",
                "connector.class", "io.microbatch.connect.MicrobatchSourceConnector",
                "batch.mode", "fixed",
                "upstream.connector.class", "org.example.Any",
                "upstream.connector.class.path", "x",
                "upstream.connector.database.hostname", "db"));
        assertThat(own)
                .containsOnly(
                        Map.entry("name", "orders"),
                        Map.entry("tasks.max", "4"),
                        Map.entry("connector.class", "org.example.Any"),
                        Map.entry("class.path", "x"),
                        Map.entry("database.hostname", "db"));
    }

    @Test
    void prefersTheHostedConnectorsOwnNameAndTaskCount() {
        Map<String, String> own = HostedConfig.ownSettings(Map.of(
                "name", "orders",
                "tasks.max", "4",
                "upstream.connector.class", "org.example.Any",
                "upstream.connector.name", "inner",
                "upstream.connector.tasks.max", "1"));
        assertThat(own).containsEntry("name", "inner").containsEntry("tasks.max", "1");
    }

    @Test
    void omitsWhatHasNoValue() {
        Map<String, String> config = new HashMap<>(Map.of("upstream.connector.class", "org.example.Any"));
        config.put("errors.tolerance", null);
        config.put("bulk.enabled", null);
        config.put("key.converter", null);
        assertThat(HostedConfig.ownSettings(config)).containsOnlyKeys("connector.class");
    }

    @Test
    void omitsAMissingName() {
        assertThat(HostedConfig.ownSettings(Map.of("upstream.connector.class", "org.example.Any")))
                .containsOnlyKeys("connector.class");
    }

    @Test
    void passesTheConverterThatConvertsEvents() {
        String letters = "io.microbatch.connect.transforms.DeadLetterConverter";
        String kind = "value.converter";
        assertThat(converter(kind, "V")).isEqualTo("V");
        assertThat(converter(kind, " ")).as("a blank name").isNull();
        assertThat(converter()).as("the worker's own").isNull();
        assertThat(converter(kind, "Bytes", "deadletter.topic", "dead", "deadletter.value.converter", "V"))
                .isEqualTo("V");
        assertThat(converter(kind, "Bytes", "deadletter.topic", "dead"))
                .as("which validation refuses")
                .isNull();
        assertThat(converter(
                        kind,
                        letters,
                        "value.converter.delegate",
                        "V",
                        "deadletter.topic",
                        "dead",
                        "deadletter.mode",
                        "Try ",
                        "deadletter.value.converter",
                        "Trial"))
                .isEqualTo("V");
        assertThat(converter(kind, letters, "value.converter.delegate", "V"))
                .as("without a topic of dead letters")
                .isEqualTo("V");
        assertThat(converter(kind, "Bytes", "bulk.enabled", "True", "bulk.inner.value.converter", "V"))
                .isEqualTo("V");
        assertThat(converter(kind, "V", "bulk.enabled", "false", "bulk.inner.value.converter", "Inner"))
                .isEqualTo("V");
        assertThat(converter(
                        kind,
                        "Bytes",
                        "bulk.enabled",
                        "true",
                        "deadletter.topic",
                        "dead",
                        "deadletter.value.converter",
                        "V"))
                .isEqualTo("V");
        assertThat(converter(kind, "Bytes", "upstream.connector.value.converter", "V"))
                .as("the hosted connector's own")
                .isEqualTo("V");
    }

    private static String converter(String... settings) {
        Map<String, String> config = new HashMap<>(Map.of("upstream.connector.class", "org.example.Any"));
        for (int i = 0; i < settings.length; i += 2) {
            config.put(settings[i], settings[i + 1]);
        }
        return HostedConfig.ownSettings(config).get("value.converter");
    }

    @Test
    void keepsEachSettingOfATaskAtTheUsersKey() {
        Map<String, String> hostedTask = new HashMap<>(Map.of("database.password", "p", "task.id", "0"));
        hostedTask.put("unset", null);
        assertThat(HostedConfig.taskShare("Any", "org.example.AnyTask", hostedTask))
                .containsOnly(
                        Map.entry("upstream.connector.class", "Any"),
                        Map.entry("upstream.task.class", "org.example.AnyTask"),
                        Map.entry("upstream.connector.database.password", "p"),
                        Map.entry("upstream.connector.task.id", "0"));
    }

    @Test
    void givesATaskTheSettingsOfItsConnector() {
        Map<String, String> hostedTask = Map.of(
                "name", "inner",
                "connector.class", "org.example.Any",
                "tasks.max", "1",
                "class", "a setting of the task's",
                "task.class", "another",
                "database.password", "p");
        Map<String, String> ours = new HashMap<>(Map.of("name", "orders", "tasks.max", "4", "batch.mode", "fixed"));
        ours.putAll(HostedConfig.taskShare("org.example.Any", "org.example.AnyTask", hostedTask));
        assertThat(HostedConfig.taskSettings(ours)).isEqualTo(hostedTask);
        assertThat(ours)
                .containsEntry(HostedConfig.CLASS_CONFIG, "org.example.Any")
                .containsEntry(HostedConfig.TASK_CLASS, "org.example.AnyTask")
                .containsEntry("name", "orders");
    }

    @Test
    void givesATaskNoSettingThatOnlyItsConnectorHas() {
        Map<String, String> ours = HostedConfig.taskShare("org.example.Any", "org.example.AnyTask", Map.of());
        assertThat(HostedConfig.taskSettings(ours)).isEmpty();
    }

    /** A file of properties keeps blanks at the end of a value, which the definition of a key removes. */
    @Test
    void readsValuesWithoutBlanksAroundThem() {
        assertThat(HostedConfig.PollAhead.of(Map.of("upstream.poll.ahead", "always ")))
                .isEqualTo(HostedConfig.PollAhead.ALWAYS);
        assertThat(BatchConfig.isForLatency(Map.of("batch.objective", "latency ")))
                .isTrue();
    }
}
