package io.microbatch.connect.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConnectorViewTest {

    private static ConnectorView view(String state, int configuredTasks, int tasks) {
        Map<String, Object> described = Map.of("tasks", Collections.nCopies(configuredTasks, Map.of()));
        Map<String, Object> status = Map.of(
                "connector", Map.of("state", state),
                "tasks", Collections.nCopies(tasks, Map.of("id", 0, "state", "RUNNING")));
        return ConnectorView.of(described, status);
    }

    @Test
    void runsWithAllOfItsTasksAndWithoutAny() {
        assertThat(List.of(view("RUNNING", 2, 2), view("RUNNING", 0, 0))).allMatch(ConnectorView::isRunning);
        assertThat(List.of(view("RUNNING", 2, 1), view("UNASSIGNED", 2, 2))).noneMatch(ConnectorView::isRunning);
    }

    /** A stop removes the configurations of the tasks first. Connect shows the tasks as running for a moment longer. */
    @Test
    void neitherRunsNorIsStoppedWhileAStopBegins() {
        ConnectorView stopping = view("RUNNING", 0, 2);
        assertThat(stopping.isRunning()).isFalse();
        assertThat(stopping.isStopped()).isFalse();
        assertThat(stopping.isSettled()).isFalse();
    }

    @Test
    void isStoppedWhenItsTasksHaveEnded() {
        assertThat(view("STOPPED", 0, 0).isStopped()).isTrue();
        assertThat(view("STOPPED", 0, 1).isStopped()).isFalse();
        assertThat(view("UNASSIGNED", 0, 0).isSettled()).isFalse();
    }
}
