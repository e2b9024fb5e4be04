package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The generator with bulk records. Every event is unpacked and checked, in both delivery modes. */
@ExtendWith(Cluster.Shared.class)
class BulkIT {

    private final Cluster cluster;

    BulkIT(Cluster cluster) {
        this.cluster = cluster;
    }

    private static Map<String, String> bulk(SyntheticLoad load, int tasks, int rate, int maxBytes) {
        Map<String, String> config = new HashMap<>(load.config(tasks, rate));
        config.put("bulk.enabled", "true");
        config.put("bulk.max.bytes", Integer.toString(maxBytes));
        return config;
    }

    private List<ConsumerRecord<byte[], byte[]>> records(SyntheticLoad load) {
        return cluster.reader().readCommitted(load.name());
    }

    private void run(Mode mode, SyntheticLoad load, Map<String, String> config) {
        cluster.rest(mode).create(load.name(), config);
        cluster.worker(mode).awaitRunning(load.name(), Integer.parseInt(config.get("tasks.max")));
        load.awaitEvents(load.total());
        assertThat(load.checkStopped(cluster.rest(mode))).isEqualTo(SyntheticCheck.CLEAN);
        cluster.rest(mode).delete(load.name());
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void deliversEveryEventOnceAndInOrderInFewRecords(Mode mode) {
        SyntheticLoad load = new SyntheticLoad(cluster, "bulk-" + mode.suffix(), 3, 40_000).unpacked();
        run(mode, load, bulk(load, 2, 0, 100_000));

        assertThat(records(load)).hasSizeLessThan(120_000 / 50).allSatisfy(record -> {
            assertThat(record.value()).hasSizeLessThanOrEqualTo(100_000);
            assertThat(new String(record.key(), StandardCharsets.UTF_8))
                    .as("the source partition as text")
                    .matches("\\{synthetic\\.partition=[0-2]}");
        });
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void keepsRecordsWithinTheConfiguredSize(Mode mode) {
        SyntheticLoad load = new SyntheticLoad(cluster, "bulk-small-" + mode.suffix(), 2, 5_000).unpacked();
        run(mode, load, bulk(load, 1, 0, 1_024));

        assertThat(records(load))
                .allSatisfy(record -> assertThat(record.value()).hasSizeLessThanOrEqualTo(1_024))
                .anySatisfy(record -> assertThat(Unpacking.count(record)).isGreaterThan(4));
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void sendsAnEventThatIsLongerThanARecordAlone(Mode mode) {
        SyntheticLoad load = new SyntheticLoad(cluster, "bulk-oversized-" + mode.suffix(), 2, 3_000).unpacked();
        Map<String, String> config = bulk(load, 1, 0, 1_024);
        config.put("upstream.synthetic.size.bytes", "40-1500");
        run(mode, load, config);

        List<ConsumerRecord<byte[], byte[]>> records = records(load);
        assertThat(records)
                .anySatisfy(record -> assertThat(Unpacking.count(record)).isGreaterThan(1));
        assertThat(records.stream().filter(record -> record.value().length > 1_024))
                .isNotEmpty()
                .allSatisfy(record -> assertThat(Unpacking.count(record)).isEqualTo(1));
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void failsAtAnEventThatTheProducerRefuses(Mode mode) {
        SyntheticLoad load = new SyntheticLoad(cluster, "bulk-refused-" + mode.suffix(), 1, 100).unpacked();
        Map<String, String> config = bulk(load, 1, 0, 10_000);
        config.put("upstream.synthetic.size.bytes", "30000");
        config.put("producer.override.max.request.size", "20000");
        cluster.rest(mode).create(load.name(), config);

        assertThat(cluster.rest(mode).awaitTaskFailed(load.name())).contains("RecordTooLargeException");
        assertThat(records(load)).isEmpty();
        cluster.rest(mode).delete(load.name());
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void losesNothingWhenTheWorkerIsKilledAndDuplicatesNothingUnderExactlyOnce(Mode mode) {
        SyntheticLoad load = new SyntheticLoad(cluster, "bulk-kill-" + mode.suffix(), 2, 60_000).unpacked();
        cluster.rest(mode).create(load.name(), bulk(load, 1, 10_000, 20_000));
        load.awaitEvents(10_000);
        cluster.kill(mode);
        assertThat(load.count()).as("killed before the end").isLessThan(load.total());
        cluster.worker(mode).restart();
        load.awaitEnd();

        SyntheticCheck check = load.checkStopped(cluster.rest(mode));
        assertThat(check.lost()).isZero();
        assertThat(check.reordered()).isZero();
        assertThat(check.corrupt()).isZero();
        if (mode == Mode.EXACTLY_ONCE) {
            assertThat(check.duplicated()).isZero();
        }
        cluster.rest(mode).delete(load.name());
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void continuesAfterTheLastEventOfTheLastRecordAfterAStop(Mode mode) {
        SyntheticLoad load = new SyntheticLoad(cluster, "bulk-stop-" + mode.suffix(), 2, 20_000).unpacked();
        cluster.rest(mode).create(load.name(), bulk(load, 1, 10_000, 20_000));
        load.awaitEvents(5_000);
        cluster.rest(mode).stop(load.name());
        cluster.rest(mode).awaitState(load.name(), "STOPPED");
        cluster.reader().awaitStable(load.name(), Duration.ofSeconds(60));
        long stoppedAt = load.count();
        long offsets = 0;
        for (com.fasterxml.jackson.databind.JsonNode entry :
                cluster.rest(mode).offsets(load.name()).get("offsets")) {
            offsets += entry.at("/offset/events").asLong();
        }
        assertThat(offsets)
                .as("the committed offsets are those of the delivered events")
                .isEqualTo(stoppedAt);
        cluster.rest(mode).resume(load.name());
        load.awaitEvents(load.total());
        assertThat(load.checkStopped(cluster.rest(mode))).isEqualTo(SyntheticCheck.CLEAN);
        cluster.rest(mode).delete(load.name());
    }
}
