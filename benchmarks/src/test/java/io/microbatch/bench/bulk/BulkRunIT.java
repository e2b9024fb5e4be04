package io.microbatch.bench.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.load.LoadStack;
import io.microbatch.bench.producer.Payload;
import io.microbatch.testbed.TestbedHome;
import io.microbatch.testbed.WorkDirectory;
import io.microbatch.testbed.failpoint.Failpoint;
import io.microbatch.testbed.failpoint.FailpointAction;
import io.microbatch.testbed.failpoint.FailpointControl;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A run with bulk records is verified, and none with a planted bug. */
class BulkRunIT {

    private static final int EVENTS = 20_000;
    /** Many records, so that a bug can be planted in the middle of some. */
    private static final Map<String, String> SMALL = Map.of(
            "bulk.max.bytes", "4096", "batch.mode", "fixed", "batch.max.records", "2000", "batch.linger.ms", "1000");

    private static WorkDirectory work;
    private static FailpointControl failpoints;
    private static LoadStack stack;

    private final BulkRun runs = new BulkRun(stack, Payload.Kind.RANDOM, SMALL);

    @BeforeAll
    static void start() {
        work = WorkDirectory.create("bulk-it");
        failpoints = new FailpointControl(TestbedHome.locate(), work.path().resolve("failpoints"));
        stack = LoadStack.startWith(List.of(failpoints.jvmOption()), work.path());
    }

    @AfterAll
    static void stop() throws IOException {
        stack.close();
        work.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = BulkContender.class,
            names = {"ADAPTIVE_BULK", "RAW_BULK"})
    void verifiesARunWithoutABugAndMeasuresIt(BulkContender contender) {
        BulkRun.Result result = runs.run(contender, EVENTS);

        assertThat(result.isVerified()).as(result.text()).isTrue();
        assertThat(result.records()).isPositive().isLessThan(EVENTS / 10);
        assertThat(result.perSec()).isPositive().isLessThan(1e9);
    }

    @ParameterizedTest
    @EnumSource(
            value = FailpointAction.class,
            names = {"DROP", "DUPLICATE", "SWAP", "ALTER"})
    void verifiesNoRunWithAPlantedBugAndNamesIt(FailpointAction bug) {
        failpoints.arm(Failpoint.BEFORE_POLL_RETURNS, bug, 2);
        BulkRun.Result result = runs.run(BulkContender.ADAPTIVE_BULK, EVENTS);

        assertThat(failpoints.wasHit()).isTrue();
        assertThat(result.isVerified()).as(result.text()).isFalse();
        assertThat(result.found().lost() > 0).isEqualTo(bug == FailpointAction.DROP || bug == FailpointAction.ALTER);
        assertThat(result.found().duplicated() > 0).isEqualTo(bug == FailpointAction.DUPLICATE);
        assertThat(result.found().reordered() > 0).isEqualTo(bug == FailpointAction.SWAP);
        assertThat(result.found().corrupt()).isEqualTo(bug == FailpointAction.ALTER ? 1 : 0);
    }

    @Test
    void notesWhenATopicWasCommittedHowFar() {
        stack.topics().create(List.of("followed"), 1);
        try (CommittedEnd end = new CommittedEnd(stack.bootstrapServers(), "followed");
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of(
                                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                                stack.bootstrapServers(),
                                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                                "followed"),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            for (int i = 0; i < 3; i++) {
                Object ignored = producer.send(new ProducerRecord<>("followed", 0, null, new byte[] {1}));
            }
            producer.flush();
            producer.commitTransaction();
            producer.beginTransaction();
            Object ignored = producer.send(new ProducerRecord<>("followed", 0, null, new byte[] {2}));
            producer.flush();
            long beganNanos = System.nanoTime();
            end.follow(() -> false, 60_000);
            long endedNanos = System.nanoTime();

            assertThat(end.first()).as("three records and the marker").isEqualTo(4);
            assertThat(end.passedNanos(2)).isBetween(beganNanos, endedNanos);
            assertThat(end.passedNanos(4) - endedNanos)
                    .as("the record of the open transaction")
                    .isGreaterThan(TimeUnit.HOURS.toNanos(1));
            producer.abortTransaction();
        }
    }
}
