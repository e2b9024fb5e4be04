package io.microbatch.bench.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.Layout;
import io.microbatch.bench.load.Settings;
import io.microbatch.bench.profile.Driver;
import io.microbatch.bench.profile.Workload;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class DisklessCommandTest {

    private static final Workload WORKLOAD = Workload.read(Path.of("profiles/workloads/diskless.yaml"));

    private static DisklessCommand command(String... arguments) {
        DisklessCommand command = new DisklessCommand();
        CommandLine.ParseResult ignored = new CommandLine(command).parseArgs(arguments);
        return command;
    }

    @Test
    void hasTheAdvisedSettings() {
        assertThat(WORKLOAD.layout()).isEqualTo(new Layout(1, 64, 256, 1));
        for (Contender contender :
                List.of(Contender.NAIVE_DISKLESS, Contender.INTERVAL_500_DISKLESS, Contender.ADAPTIVE_DISKLESS)) {
            assertThat(contender.settings())
                    .containsEntry("producer.override.linger.ms", "100")
                    .containsEntry("producer.override.max.request.size", "8000000");
        }
        assertThat(Contender.INTERVAL_500_DISKLESS.settings())
                .containsEntry("transaction.boundary.interval.ms", "500")
                .containsEntry("baseline.poll.events", "1");
        assertThat(command().common()).containsEntry("tasks.max", "4");
        assertThat(command("--tasks", "3").common()).containsEntry("tasks.max", "3");
    }

    /** A producer allocates a whole batch for the first record of a partition. */
    @Test
    void aBatchForEachPartitionIsOneRequestAndFitsIntoTheBuffer() {
        long allBytes = WORKLOAD.layout().topicPartitions()
                * Long.parseLong(Contender.INTERVAL_1000_DISKLESS.settings().get("producer.override.batch.size"));
        assertThat(allBytes).isEqualTo(8_000_000).isLessThan(32L << 20);
    }

    @Test
    void anIntervalThatIsShorterThanACommitHasNoRun() {
        Driver exactlyOnce = new Driver("exactly-once", Delivery.EXACTLY_ONCE, Map.of(), Map.of());
        assertThat(intervals(exactlyOnce, 100)).containsExactly(500, 1_000, 2_000, 1_000);
        assertThat(intervals(exactlyOnce, 250)).containsExactly(1_000, 2_000, 1_000);
        assertThat(intervals(exactlyOnce, 500)).containsExactly(2_000);
    }

    private static List<Integer> intervals(Driver driver, int delayMs) {
        DisklessCommand command = command();
        return command.contenders().stream()
                .filter(contender -> Settings.isByTheClock(contender.settings()))
                .filter(contender ->
                        command.takesPart(driver, new Situation("delay_ms", delayMs, WORKLOAD, 0), contender))
                .map(contender -> Settings.intervalMs(contender.settings()))
                .toList();
    }

    @Test
    void measuresEachDelayAtEachRate() {
        assertThat(command().situations(WORKLOAD))
                .extracting(situation -> situation.value() + " " + situation.ratePerSec())
                .containsExactly("100 4000", "100 0", "250 4000", "250 0", "400 4000", "400 0");
        assertThat(command("--smoke").situations(WORKLOAD)).hasSize(1);
    }

    @Test
    void anEventATransactionIsMeasuredAsFastAsItGoesOnly() {
        Driver exactlyOnce = new Driver("exactly-once", Delivery.EXACTLY_ONCE, Map.of(), Map.of());
        Driver atLeastOnce = new Driver("at-least-once", Delivery.AT_LEAST_ONCE, Map.of(), Map.of());
        Situation steady = new Situation("delay_ms", 100, WORKLOAD, 4_000);
        Situation saturated = new Situation("delay_ms", 100, WORKLOAD, 0);
        DisklessCommand command = command();
        assertThat(command.contenders())
                .allMatch(contender -> command.takesPart(exactlyOnce, saturated, contender))
                .allMatch(contender -> command.takesPart(atLeastOnce, steady, contender))
                .filteredOn(contender -> !command.takesPart(exactlyOnce, steady, contender))
                .containsExactly(Contender.NAIVE, Contender.NAIVE_DISKLESS);
    }
}
