package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The effect of an event that cannot be delivered, without a dead letter topic: the table in docs/delivery.md. */
@ExtendWith(Cluster.Shared.class)
class ErrorToleranceIT {

    private static final int LIMIT = 20_000;

    private final Cluster cluster;

    ErrorToleranceIT(Cluster cluster) {
        this.cluster = cluster;
    }

    private static Map<String, String> tolerance(String type) {
        return Map.of("errors.tolerance", type, "producer.override.max.request.size", Integer.toString(LIMIT));
    }

    /** Each event exactly once, or repeated where the mode allows it. */
    private static void assertDelivered(Mode mode, Lines lines, List<String> expected) {
        List<String> delivered = lines.delivered();
        assertThat(new ArrayList<>(new LinkedHashSet<>(delivered))).isEqualTo(expected);
        if (mode == Mode.EXACTLY_ONCE) {
            assertThat(delivered).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void failsWhenAConverterRefusesAndContinuesThereAfterTheRemedy(Mode mode) {
        Lines lines = new Lines(cluster, mode, "refused");
        List<String> written = Lines.numbered(0, 3_000, 1_500);
        lines.append(written);
        lines.rest().create(lines.name(), lines.config(Lines.TEST_CONVERTER, tolerance("none")));

        assertThat(lines.rest().awaitTaskFailed(lines.name())).contains("cannot convert poison 1500");
        List<String> delivered = lines.delivered();
        assertThat(delivered)
                .as("nothing after the poisoned event")
                .isEqualTo(written.subList(0, delivered.size()))
                .hasSizeLessThanOrEqualTo(1_500);

        lines.rest().put(lines.name(), lines.config(Lines.STRING, tolerance("none")));
        lines.awaitLast(written.get(2_999));
        assertDelivered(mode, lines, written);
        lines.rest().delete(lines.name());
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void skipsExactlyThePoisonedEventsIfErrorsAreTolerated(Mode mode) {
        Lines lines = new Lines(cluster, mode, "tolerated");
        List<String> written = Lines.numbered(0, 3_000, 0, 1_500, 1_501, 2_999);
        lines.append(written);
        lines.append(Lines.numbered(3_000, 1));
        lines.rest().create(lines.name(), lines.config(Lines.TEST_CONVERTER, tolerance("all")));

        lines.awaitMetric("skipped-total", 4);
        lines.awaitDelivered(2_997);
        List<String> sound = new ArrayList<>(written);
        sound.removeIf(line -> line.startsWith("poison"));
        sound.add("line 3000");
        assertThat(lines.delivered()).isEqualTo(sound);
        assertThat(lines.metric("skipped-total")).isEqualTo(4);
        lines.rest().delete(lines.name());
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void failsWithAnyToleranceWhenTheMemoryRunsOut(Mode mode) {
        Lines lines = new Lines(cluster, mode, "memory");
        List<String> written = Lines.withMemoryRunningOut();
        lines.append(written);
        lines.rest().create(lines.name(), lines.config(Lines.TEST_CONVERTER, tolerance("all")));

        assertThat(lines.rest().awaitTaskFailed(lines.name())).contains("OutOfMemoryError");
        assertThat(cluster.worker(mode).isAlive()).isTrue();
        lines.rest().put(lines.name(), lines.config(Lines.STRING, Map.of()));
        lines.awaitLast(written.get(written.size() - 1));
        assertDelivered(mode, lines, written);
        lines.rest().delete(lines.name());
    }

    private static String sized(int bytes) {
        return "x".repeat(bytes - Lines.OVERHEAD_BYTES);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void failsOnARecordThatIsTooLargeAndContinuesThereAfterTheRemedy(Mode mode) {
        Lines lines = new Lines(cluster, mode, "oversize");
        List<String> written = new ArrayList<>(Lines.numbered(0, 100));
        written.addAll(List.of(sized(LIMIT - 1), sized(LIMIT), sized(LIMIT + 1)));
        written.addAll(Lines.numbered(100, 100));
        lines.append(written);
        // Under exactly-once tolerance does not apply to sends. In at-least-once mode it would lose the event.
        String type = mode == Mode.EXACTLY_ONCE ? "all" : "none";
        lines.rest().create(lines.name(), lines.config(Lines.STRING, tolerance(type)));

        assertThat(lines.rest().awaitTaskFailed(lines.name())).contains("RecordTooLargeException");
        lines.rest().put(lines.name(), lines.config(Lines.STRING, Map.of()));
        lines.awaitLast(written.get(written.size() - 1));
        assertDelivered(mode, lines, written);
        lines.rest().delete(lines.name());
    }

    @ParameterizedTest
    @EnumSource(value = Mode.class, names = "AT_LEAST_ONCE")
    void losesAndCountsARecordThatIsTooLargeIfErrorsAreTolerated(Mode mode) {
        Lines lines = new Lines(cluster, mode, "oversize-tolerated");
        List<String> fits = List.of(sized(LIMIT - 1), sized(LIMIT));
        lines.append(fits);
        lines.append(List.of(sized(LIMIT + 1)));
        lines.append(Lines.numbered(0, 100));
        lines.rest().create(lines.name(), lines.config(Lines.STRING, tolerance("all")));

        lines.awaitMetric("skipped-total", 1);
        lines.awaitDelivered(102);
        List<String> expected = new ArrayList<>(fits);
        expected.addAll(Lines.numbered(0, 100));
        assertThat(lines.delivered()).isEqualTo(expected);
        assertThat(lines.metric("skipped-total")).isEqualTo(1);
        lines.rest().delete(lines.name());
    }
}
