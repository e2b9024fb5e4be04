package io.microbatch.connect.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The answer about all tasks of a worker, which another worker takes up to a limit. */
class AnswerSizeTest {

    private static final int KEYS = 30;

    /** Figures with all their digits, an advice with the whole configuration, and the events a second. */
    @Test
    void theMostTasksOfAWorkerFitInAnAnswer() {
        Random random = new Random(1);
        Map<String, String> config = new HashMap<>(Map.of(ConnectorSettings.CLASS, AdvisorCase.PLAIN));
        for (int i = 0; i < KEYS; i++) {
            config.put("a.setting.of.this.connector." + i, "a value of a usual length " + i);
        }
        ConnectorSettings settings = new ConnectorSettings(config, ConnectorSettings.FLUSH_MS_DEFAULT);
        List<Map<String, Object>> tasks = new ArrayList<>();
        for (int i = 0; i < TaskReader.MAX_TASKS; i++) {
            Map<Figure, Double> figures = AdvisorCase.exactlyOnce(180 + random.nextDouble(), 1, 1, 5.4);
            for (Figure figure : Figure.values()) {
                if (figure.bean() != Bean.MICROBATCH) {
                    figures.putIfAbsent(figure, random.nextDouble());
                }
            }
            TaskSnapshot task = new TaskSnapshot(new TaskKey("a connector with a name", i), figures);
            History history = new History();
            for (int step = 0; step < History.SAMPLES; step++) {
                history.add(
                        List.of(new TaskSnapshot(
                                task.key(), Map.of(Figure.RECORDS_TOTAL, step * 1e6 + 1e6 * random.nextDouble()))),
                        step * (long) History.STEP_MS);
            }
            Map<String, Object> json =
                    TaskReport.placed(new ClusterView.Placed(task.key(), "RUNNING", "worker-1.example:8083"));
            TaskReport.addFigures(json, task, settings);
            json.put("rates", history.rates(task.key()));
            json.put(
                    "advice",
                    TaskReport.of(
                            Advisor.advise(task, settings, "RUNNING", 100), settings, Optional.of(Set.of("code"))));
            tasks.add(json);
        }
        assertThat(Json.write(Map.of("tasks", tasks)).length).isLessThan(Peers.MAX_BYTES);
    }
}
