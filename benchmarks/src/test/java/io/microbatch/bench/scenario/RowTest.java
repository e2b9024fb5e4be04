package io.microbatch.bench.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.Layout;
import io.microbatch.bench.load.LoadResult;
import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.Promise;
import io.microbatch.bench.load.Reading;
import io.microbatch.bench.load.Windows;
import io.microbatch.bench.profile.Driver;
import io.microbatch.bench.profile.Workload;
import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RowTest {

    private static final Workload WORKLOAD =
            new Workload("some", Layout.SINGLE, "100", "random", List.of(1_000), 1, 1, 1_000_000);
    private final Row row = new Row(
            new Driver("durable", Delivery.EXACTLY_ONCE, Map.of(), Map.of()),
            new Situation("topic_partitions", 3, WORKLOAD, 1_000));

    private void add(Contender contender, double perSec, double p99Ms) {
        LoadResult result = new LoadResult(Promise.EXACT, List.of(), new Windows(List.of()), 0, 0, "");
        row.add(contender, new Scenario.Measured(result, Map.of(Figure.PER_SEC, perSec, Figure.P99_MS, p99Ms)));
    }

    @Test
    void reportsMediansAndSpreadsUnderTheNamesThatRegressKnows() {
        add(Contender.NAIVE, 100, Double.NaN);
        add(Contender.ADAPTIVE, 900, 10);
        add(Contender.ADAPTIVE, 1_100, 30);
        assertThat(row.json())
                .containsEntry("mode", "exactly_once")
                .containsEntry("topic_partitions", 3)
                .containsEntry("adaptive_per_s", 1_000.0)
                .containsEntry("p99_ms_adaptive", 20.0)
                .containsEntry("naive_per_s", 100.0)
                .containsEntry("budget_ms", 50.0)
                .containsEntry(
                        "spread",
                        Map.of("adaptive_per_s", List.of(900.0, 1_100.0), "p99_ms_adaptive", List.of(10.0, 30.0)))
                .hasEntrySatisfying(
                        "each_round",
                        each -> assertThat(each)
                                .asString()
                                .contains("p99_ms_adaptive=[10.0, 30.0]", "naive_per_s=[100.0]"))
                .doesNotContainKeys("p99_ms_naive", "lost_adaptive", "ratio");
    }

    @Test
    void comparesSettingsWithProducerBatchesOfTheSameSize() {
        add(Contender.ADAPTIVE, 1_000, Double.NaN);
        add(Contender.UNBUFFERED, 1_050, Double.NaN);
        add(Contender.ADAPTIVE_LARGE_BATCHES, 8_000, Double.NaN);
        add(Contender.UNBUFFERED_LARGE_BATCHES, 10_000, Double.NaN);
        assertThat(row.losses())
                .singleElement()
                .asString()
                .contains("unbuffered_large_batches", "10,000", "adaptive_large_batches 8,000", "0.80");
        assertThat(Contender.INTERVAL_500_DISKLESS.counterpart()).isEqualTo(Contender.ADAPTIVE_DISKLESS);
        assertThat(Contender.INTERVAL_50.counterpart()).isEqualTo(Contender.ADAPTIVE);
    }

    @Test
    void saysWhereAnotherIsBetterByMoreThanATenth() {
        add(Contender.ADAPTIVE, 1_000, Double.NaN);
        add(Contender.FIXED, 1_050, Double.NaN);
        add(Contender.UNBUFFERED, 2_000, Double.NaN);
        assertThat(row.losses())
                .singleElement()
                .asString()
                .contains("durable, topic partitions 3", "unbuffered", "2,000", "adaptive 1,000", "0.50");
    }

    @Test
    void saysWhichFiguresNotEveryRunHas() {
        add(Contender.ADAPTIVE, 900, 10);
        add(Contender.ADAPTIVE, 1_100, Double.NaN);
        assertThat(row.json()).containsEntry("runs_without", Map.of("p99_ms_adaptive", 1));
        assertThat(row.lines()).anySatisfy(line -> assertThat(line).contains("p99 10.0 ms in 1 of 2 runs"));
    }

    @Test
    void saysWhatWasLostAndDuplicated() {
        Reading reading = new Reading(LoadSpec.saturating("c", "t", Delivery.AT_LEAST_ONCE, 3, 0, Map.of()));
        SyntheticEvent codec = new SyntheticEvent();
        for (int sequence : new int[] {0, 2, 2}) {
            reading.take(codec.encode(0, 0, sequence, 0, 100, false), 0, 1);
        }
        LoadResult result = new LoadResult(Promise.EXACT, List.of(reading), new Windows(List.of()), 0, 0, "");
        row.add(Contender.ADAPTIVE, new Scenario.Measured(result, Map.of(Figure.PER_SEC, 1.0)));
        assertThat(row.lines()).last().asString().endsWith("  LOST 1  DUPLICATED 1");
        assertThat(row.json())
                .containsEntry("lost_adaptive", 1L)
                .containsEntry("duplicated_adaptive", 1L)
                .containsEntry("events", Map.of("adaptive", 3L));
        assertThat(row.lines()).last().asString().contains("  3 events a run");
    }

    @Test
    void ofARunThatDidNotEndInTimeOnlyWhatItCarriedCounts() {
        Reading reading = new Reading(LoadSpec.saturating("c", "t", Delivery.EXACTLY_ONCE, 30, 20, Map.of()));
        SyntheticEvent codec = new SyntheticEvent();
        for (int sequence = 0; sequence < 11; sequence++) {
            reading.take(codec.encode(0, 0, sequence, 0, 100, false), 0, 1 + sequence * 100_000_000L);
        }
        LoadResult cut = new LoadResult(
                Promise.EXACT,
                List.of(reading),
                new Windows(List.of()),
                0,
                0,
                Map.of(),
                "not at its end within 90 s",
                true);
        row.add(Contender.NAIVE, new Scenario.Measured(cut, Map.of(Figure.PER_SEC, 7.0, Figure.P99_MS, 8.0)));
        assertThat(row.json())
                .containsEntry("naive_per_s", 10.0)
                .containsEntry("collapsed_naive", 1)
                .containsEntry("events", Map.of("naive", 11L))
                .doesNotContainKeys("p99_ms_naive", "lost_naive");
        assertThat(row.lines())
                .last()
                .asString()
                .contains("COLLAPSED in 1 of 1 runs")
                .doesNotContain("LOST");
    }

    @Test
    void whoReachesARateCannotBeFaster() {
        add(Contender.ADAPTIVE, 1_000, 20);
        add(Contender.FIXED, 1_300, 10);
        add(Contender.UNBUFFERED, 1_000, 40);
        assertThat(row.losses()).singleElement().asString().contains("fixed p99 10.0 ms", "adaptive 20.0", "0.50");
    }

    /** At saturation a latency does not say that a rate was reached. */
    @Test
    void nobodyIsBoundByARateWhereThereIsNone() {
        Row saturated = new Row(
                new Driver("durable", Delivery.EXACTLY_ONCE, Map.of(), Map.of()),
                new Situation("size_bytes", 100, WORKLOAD, 0));
        LoadResult result = new LoadResult(Promise.EXACT, List.of(), new Windows(List.of()), 0, 0, "");
        saturated.add(
                Contender.ADAPTIVE,
                new Scenario.Measured(result, Map.of(Figure.PER_SEC, 1_000.0, Figure.P99_MS, 10.0)));
        saturated.add(
                Contender.FIXED, new Scenario.Measured(result, Map.of(Figure.PER_SEC, 2_000.0, Figure.P99_MS, 10.0)));
        assertThat(saturated.losses()).singleElement().asString().contains("fixed", "2,000", "0.50");
    }

    @Test
    void showsWhatWasReadApartFromWhatWasWritten() {
        LoadResult result = new LoadResult(Promise.EXACT, List.of(), new Windows(List.of()), 0, 0, "");
        row.add(
                Contender.ADAPTIVE,
                new Scenario.Measured(
                        result,
                        Map.of(
                                Figure.PER_SEC, 1_000.0,
                                Figure.P99_MS, 10.0,
                                Figure.WARM_PER_SEC, 5_000.0,
                                Figure.COLD_PER_SEC, 3_000.0,
                                Figure.TOPIC_MB, 9.0,
                                Figure.COLD_DISK_MB, 4.0)));
        row.add(
                Contender.INTERVAL_50,
                new Scenario.Measured(
                        result,
                        Map.of(
                                Figure.PER_SEC, 1_000.0,
                                Figure.P99_MS, 10.0,
                                Figure.WARM_PER_SEC, 5_100.0,
                                Figure.COLD_PER_SEC, 6_000.0,
                                Figure.TOPIC_MB, 1.0,
                                Figure.COLD_DISK_MB, 1.0)));
        assertThat(row.json())
                .containsEntry("adaptive_per_s", 1_000.0)
                .containsEntry("adaptive_warm_per_s", 5_000.0)
                .containsEntry("adaptive_cold_per_s", 3_000.0)
                .containsEntry("cold_disk_mb_adaptive", 4.0);
        assertThat(row.lines().get(1).lines())
                .satisfiesExactly(
                        written -> assertThat(written)
                                .contains("adaptive", "1,000 /s")
                                .doesNotContain("5,000"),
                        warm -> assertThat(warm).contains("read from the page cache", "5,000 /s"),
                        cold -> assertThat(cold).contains("read cold", "3,000 /s", "from the disk 4.0 MB"));
        assertThat(row.losses()).singleElement().asString().contains("read cold", "6,000", "0.50");
    }
}
