package io.microbatch.bench.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.LoadResult;
import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.Promise;
import io.microbatch.bench.load.Reading;
import io.microbatch.bench.load.ThreadClock.Part;
import io.microbatch.bench.load.Windows;
import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CpuPerEventTest {

    private static final long DUE = 1_700_000_000_000_000_000L;

    /** Ten events, one of them before the measured part, at this distance. */
    private static LoadResult result(long micros, double worker, double broker, Map<Part, Double> parts) {
        Reading reading = new Reading(LoadSpec.saturating("c", "t", Delivery.EXACTLY_ONCE, 10, 1, Map.of()));
        SyntheticEvent codec = new SyntheticEvent();
        for (int i = 0; i < 10; i++) {
            reading.take(codec.encode(0, 0, i, DUE, 100, false), i, DUE + i * micros * 1_000);
        }
        return new LoadResult(
                Promise.EXACT, List.of(reading), new Windows(List.of()), worker, broker, parts, "", false);
    }

    @Test
    void answersTheMedianOfTheRoundsOfEachFigure() {
        StringWriter out = new StringWriter();
        CpuPerEvent cpu = new CpuPerEvent(2);
        cpu.add("hosted", result(10, 3.0, 1.0, Map.of(Part.TASK, 1.5, Part.READER, 0.5)));
        cpu.add("hosted", result(20, 5.0, 0.5, Map.of(Part.TASK, 1.0)));
        cpu.add("hosted", result(15, 4.0, 2.0, Map.of(Part.TASK, 2.0, Part.READER, 0.25)));

        Map<String, Object> json = cpu.report(new PrintWriter(out));

        assertThat((Map<?, ?>) json.get("hosted"))
                .isEqualTo(Map.of(
                        "cores", 30.0,
                        "broker", 1.0,
                        "worker", 4.0,
                        "collector", 0.0,
                        "compilers", 0.0,
                        "debezium", 0.0,
                        "reader", 0.25,
                        "task", 1.5,
                        "producer", 0.0,
                        "other", 0.0));
        assertThat(out.toString().lines()).hasSize(3);
        assertThat(out.toString().lines().toList().get(1))
                .startsWith("hosted ")
                .contains(" 30.00 ", " 4.00 ", " 0.25 ");
    }

    @Test
    void leavesOutARunWithoutFiguresOfItsProcesses() {
        CpuPerEvent cpu = new CpuPerEvent(2);
        cpu.add("producer", result(10, Double.NaN, Double.NaN, Map.of()));

        assertThat(cpu.report(new PrintWriter(new StringWriter()))).isEmpty();
    }
}
