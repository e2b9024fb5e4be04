package io.microbatch.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HostedConfigTest {

    @Test
    void givesTheHostedConnectorItsOwnSettingsAsItsOwnWorkerWould() {
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
    void leavesOutANameThatIsNotThere() {
        assertThat(HostedConfig.ownSettings(Map.of("upstream.connector.class", "org.example.Any")))
                .containsOnlyKeys("connector.class");
    }

    @Test
    void bringsTaskSettingsThroughATaskConfiguration() {
        Map<String, String> hostedTask = new HashMap<>(Map.of("database.hostname", "db", "task.id", "0"));
        hostedTask.put("unset", null);
        Map<String, String> ours = new HashMap<>(HostedConfig.prefixed(hostedTask));
        assertThat(ours)
                .containsOnly(
                        Map.entry("upstream.task.database.hostname", "db"), Map.entry("upstream.task.task.id", "0"));
        ours.put("batch.mode", "fixed");
        ours.put("upstream.connector.class", "org.example.Any");
        assertThat(HostedConfig.taskSettings(ours)).isEqualTo(Map.of("database.hostname", "db", "task.id", "0"));
    }
}
