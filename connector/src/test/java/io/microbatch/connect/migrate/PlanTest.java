package io.microbatch.connect.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.console.HostedKeys;
import io.microbatch.connect.migrate.ConnectorView.Task;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanTest {

    private static final Map<String, String> PLAIN = new TreeMap<>(
            Map.of("name", "shop", "connector.class", "a.B", "tasks.max", "1", "database.hostname", "db"));
    private static final Map<String, String> HOSTED = HostedKeys.wrapped(PLAIN);

    private static ConnectorView view(Map<String, String> config, String state, String... tasks) {
        return typed("source", config, state, tasks);
    }

    private static ConnectorView typed(String type, Map<String, String> config, String state, String... tasks) {
        List<Task> all = new ArrayList<>();
        for (String task : tasks) {
            all.add(new Task(Integer.toString(all.size()), task, task.equals("FAILED") ? "x.Y: why\n\tat z" : ""));
        }
        return new ConnectorView(type, config, state, "x.Y: why\n\tat z", tasks.length, all);
    }

    private static Plan plan(ConnectorView before, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--rest", "http://worker:8083", "--connector", "shop"));
        arguments.addAll(List.of(more));
        return Plan.of(Options.of(arguments), before);
    }

    private static Map<String, String> with(Map<String, String> config, String key, String value) {
        Map<String, String> more = new TreeMap<>(config);
        more.put(key, value);
        return more;
    }

    @Test
    void wrapsAndAddsAndRemoves() throws IOException {
        Plan plan = plan(
                view(with(PLAIN, "topic.creation.default.partitions", "3"), "RUNNING", "RUNNING"),
                "--set",
                "latency.target.ms=100",
                "--remove",
                "topic.creation.default.partitions");

        assertThat(plan.problems()).isEmpty();
        assertThat(plan.done()).isFalse();
        assertThat(plan.target()).isEqualTo(with(HOSTED, "latency.target.ms", "100"));
    }

    @Test
    void unwrapsOnTheWayBack() throws IOException {
        Plan plan = plan(view(with(HOSTED, "latency.target.ms", "100"), "RUNNING", "RUNNING"), "--back");

        assertThat(plan.problems()).isEmpty();
        assertThat(plan.target()).isEqualTo(PLAIN);
    }

    @Test
    void hasNothingToDoWhereTheConnectorRunsAsItShall() throws IOException {
        assertThat(plan(view(HOSTED, "RUNNING", "RUNNING")).done()).isTrue();
        assertThat(plan(view(PLAIN, "RUNNING", "RUNNING"), "--back").done()).isTrue();
        assertThat(plan(view(HOSTED, "RUNNING", "RUNNING"), "--set", "a=b").problems())
                .singleElement()
                .asString()
                .contains("has other settings");
    }

    @Test
    void continuesWhereAnEarlierRunHasEnded() throws IOException {
        for (Plan plan : List.of(plan(view(HOSTED, "STOPPED")), plan(view(PLAIN, "STOPPED"), "--back"))) {
            assertThat(plan.problems()).isEmpty();
            assertThat(plan.done()).isFalse();
            assertThat(plan.changes()).isFalse();
            assertThat(Migration.steps(plan)).noneMatch(step -> step.contains("put") || step.contains("stop it"));
        }
        assertThat(plan(view(PLAIN, "STOPPED")).changes()).isTrue();
    }

    @Test
    void refusesWhatCannotBeMoved() throws IOException {
        Map<String, String> generator =
                Map.of("connector.class", "MicrobatchSource", "upstream.type", "synthetic", "name", "shop");
        assertRefused(plan(typed("sink", PLAIN, "RUNNING", "RUNNING")), "Only a source connector");
        assertRefused(
                plan(view(generator, "RUNNING", "RUNNING")), "hosts no connector: its upstream.type is synthetic");
        assertRefused(plan(view(generator, "RUNNING", "RUNNING"), "--back"), "hosts no connector");
        assertRefused(plan(view(PLAIN, "FAILED")), "The connector has failed: x.Y: why Repair it first.");
        assertRefused(plan(view(PLAIN, "RUNNING", "RUNNING", "FAILED")), "Task 1 has failed: x.Y: why");
        assertRefused(plan(view(PLAIN, "PAUSED", "PAUSED")), "It is paused");
        assertRefused(plan(view(PLAIN, "RUNNING", "UNASSIGNED")), "Wait until it runs");
        assertRefused(plan(view(with(PLAIN, "class", "x"), "RUNNING", "RUNNING")), "upstream.connector.class is taken");
        assertRefused(
                plan(view(PLAIN, "RUNNING", "RUNNING"), "--set", "connector.class=a.B"),
                "would not move the connector");
        assertRefused(
                plan(view(PLAIN, "RUNNING", "RUNNING"), "--set", "offsets.storage.topic=t"),
                "the place of the offsets");
    }

    @Test
    void goesBackFromATaskThatFailsHosted() throws IOException {
        assertThat(plan(view(HOSTED, "RUNNING", "FAILED"), "--back").problems()).isEmpty();
        assertRefused(plan(view(HOSTED, "RUNNING", "FAILED")), "or go back with --back.");
    }

    @Test
    void saysWhichKeysGo() throws IOException {
        assertThat(plan(view(with(PLAIN, "connector.plugin.version", "3"), "RUNNING", "RUNNING"))
                        .notes())
                .singleElement()
                .asString()
                .startsWith("connector.plugin.version goes");
        assertThat(plan(view(with(HOSTED, "upstream.connector.tasks.max", "3"), "RUNNING", "RUNNING"), "--back")
                        .notes())
                .containsExactly("upstream.connector.tasks.max goes: the worker would read tasks.max.");
    }

    @Test
    void saysWhatEventsLoseOnTheWayBack() throws IOException {
        Map<String, String> bulk = with(with(HOSTED, "deadletter.topic", "dead"), "bulk.enabled", "true");

        assertThat(plan(view(bulk, "RUNNING", "RUNNING"), "--back").notes())
                .hasSize(2)
                .anyMatch(note -> note.startsWith("deadletter.topic goes"))
                .anyMatch(note -> note.startsWith("bulk.enabled goes"));
    }

    @Test
    void saysThatConnectsClockWouldStillEndTheTransactions() throws IOException {
        Map<String, String> byInterval = with(PLAIN, "transaction.boundary", "INTERVAL");

        assertThat(plan(view(byInterval, "RUNNING", "RUNNING")).notes())
                .singleElement()
                .asString()
                .startsWith("transaction.boundary=interval stays")
                .contains("--remove transaction.boundary --remove transaction.boundary.interval.ms");
        assertThat(plan(view(byInterval, "RUNNING", "RUNNING"), "--remove", "transaction.boundary")
                        .notes())
                .isEmpty();
        assertThat(plan(view(HostedKeys.wrapped(byInterval), "RUNNING", "RUNNING"), "--back")
                        .notes())
                .isEmpty();
    }

    @Test
    void takesTheConfigurationOfAFile(@TempDir Path directory) throws IOException {
        Map<String, String> pinned = with(PLAIN, "connector.plugin.version", "3");
        Path file = new SavedFiles(directory, "shop").saveConfig("plain", pinned);

        Plan plan = plan(view(HOSTED, "RUNNING", "RUNNING"), "--back", "--from", file.toString());

        assertThat(plan.problems()).isEmpty();
        assertThat(plan.target()).isEqualTo(pinned);
        assertRefused(
                plan(view(PLAIN, "RUNNING", "RUNNING"), "--from", file.toString()), "would not move the connector");
        Path none = Files.writeString(directory.resolve("none.json"), "{}");
        assertThatThrownBy(() -> plan(view(HOSTED, "STOPPED"), "--back", "--from", none.toString()))
                .hasMessageContaining("holds no configuration");
    }

    private static void assertRefused(Plan plan, String why) {
        assertThat(plan.problems()).anyMatch(problem -> problem.contains(why));
    }
}
