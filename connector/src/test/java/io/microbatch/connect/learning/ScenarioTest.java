package io.microbatch.connect.learning;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.learning.ModelTask.Seen;
import io.microbatch.connect.pressure.LatencyBudgets;
import io.microbatch.connect.pressure.Objective;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Replays the scenarios. Each line of a file is a period of model time with a rate and a broker, and the expected
 * results of its last third. The first line has the objective, the delivery mode, perhaps a latency target, the length
 * of a window, and the seed that chooses the trials.
 */
class ScenarioTest {

    static Stream<String> scenarios() throws IOException {
        Path directory = Path.of("src/test/resources/scenarios");
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void replays(String name) throws IOException {
        List<Phase> lines = Files.readAllLines(Path.of("src/test/resources/scenarios", name)).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(Phase::parse)
                .toList();
        Phase head = lines.get(0);
        Objective objective = Objective.valueOf(head.values().get("objective"));
        OptionalInt target =
                head.has("target_ms") ? OptionalInt.of((int) head.number("target_ms", 0)) : OptionalInt.empty();
        ModelTask task = new ModelTask(
                objective,
                LatencyBudgets.of(target, objective),
                head.values().get("delivery").equals("exactly-once"),
                (long) head.number("window_ms", 10_000),
                (long) head.number("seed", 7));
        long regressions = 0;
        for (Phase phase : lines.subList(1, lines.size())) {
            Seen seen = task.run(phase);
            check(phase, seen, task.regressions() - regressions);
            regressions = task.regressions();
        }
    }

    private static void check(Phase phase, Seen seen, long regressions) {
        double p99Ms = seen.latencies().getValueAtPercentile(99) / 1_000.0;
        String story = phase.values() + ": T " + seen.lingerMs() + " ms, p99 " + p99Ms + " ms, service rate "
                + Math.round(seen.serviceRatePerSec()) + "/s, " + seen.changes() + " changes, " + regressions
                + " regressions";
        if (System.getProperty("scenario.print") != null) {
            System.err.println(story);
        }
        if (phase.has("level")) {
            assertThat(seen.decision().level().number()).as(story).isEqualTo((int) phase.number("level", 0));
        }
        assertThat(seen.lingerMs())
                .as(story)
                .isBetween(phase.number("min_linger_ms", 0), phase.number("max_linger_ms", 1e9));
        assertThat(p99Ms).as(story).isLessThanOrEqualTo(phase.number("max_p99_ms", 1e9));
        assertThat(seen.serviceRatePerSec()).as(story).isGreaterThanOrEqualTo(phase.number("min_service_rate", 0));
        assertThat((double) seen.changes()).as(story).isLessThanOrEqualTo(phase.number("max_changes", 1e9));
        assertThat((double) regressions)
                .as(story)
                .isBetween(phase.number("min_regressions", 0), phase.number("max_regressions", 1e9));
    }
}
