package io.microbatch.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import io.microbatch.testbed.TestbedHome;
import io.microbatch.testbed.WorkDirectory;
import io.microbatch.testbed.failpoint.Failpoint;
import io.microbatch.testbed.failpoint.FailpointAction;
import io.microbatch.testbed.failpoint.FailpointControl;
import io.microbatch.testbed.oracle.Findings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The checker behind the benchmarks is checked end to end: it verifies a run of the packaged plugin, and no run of one
 * with a bug.
 */
class LoadRunIT {

    private static final int EVENTS = 20_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static WorkDirectory work;
    private static FailpointControl failpoints;
    private static LoadStack stack;

    private final PrintWriter out = new PrintWriter(Writer.nullWriter());

    @BeforeAll
    static void start() {
        work = WorkDirectory.create("load-it");
        failpoints = new FailpointControl(TestbedHome.locate(), work.path().resolve("failpoints"));
        stack = LoadStack.startWith(List.of(failpoints.jvmOption()), work.path());
    }

    @AfterAll
    static void stop() throws IOException {
        stack.close();
        work.close();
    }

    private static LoadSpec spec(String name, Layout layout) {
        // Batches that a bug can be planted in, however fast the machine is.
        Map<String, String> config =
                Map.of("batch.mode", "fixed", "batch.max.records", "500", "batch.linger.ms", "1000");
        return new LoadSpec(
                name,
                name,
                Delivery.EXACTLY_ONCE,
                LoadSpec.UNLIMITED,
                EVENTS,
                1_000,
                90,
                config,
                layout,
                Promise.EXACT);
    }

    @Test
    void verifiesARunWithoutABugAndMeasuresIt() {
        LoadResult result = new LoadRun(stack, out).run(spec("sound", new Layout(2, 2, 4, 2)));

        assertThat(result.isVerified()).as(result.text()).isTrue();
        assertThat(result.readings()).hasSize(2).allSatisfy(reading -> {
            assertThat(reading.findings().isExactlyOnce()).isTrue();
            assertThat(reading.measured()).isEqualTo(EVENTS - 1_000);
        });
        assertThat(result.perSec()).isPositive();
        assertThat(result.p(50)).isPositive().isLessThanOrEqualTo(result.p(99));
        assertThat(result.workerCpuSecPerMillion()).isPositive();
        assertThat(result.brokerCpuSecPerMillion()).isPositive();
        assertThat(result.workerCpuSecPerMillionByPart()).containsKey(ThreadClock.Part.TASK);
    }

    @ParameterizedTest
    @CsvSource({
        "DROP, BEFORE_POLL_RETURNS, 1, 0, 0, 0",
        "DUPLICATE, BEFORE_POLL_RETURNS, 0, 1, 0, 0",
        "SWAP, BEFORE_POLL_RETURNS, 0, 0, 1, 0",
        "ALTER, BEFORE_POLL_RETURNS, 1, 0, 0, 1"
    })
    void verifiesNoRunWithAPlantedBugAndNamesIt(
            FailpointAction bug, Failpoint point, int lost, int duplicated, int reordered, int corrupt) {
        failpoints.arm(point, bug, 3);
        LoadResult result = new LoadRun(stack, out)
                .run(spec("planted-" + bug.name().toLowerCase(java.util.Locale.ROOT), Layout.SINGLE));

        assertThat(failpoints.wasHit()).isTrue();
        assertFound(result, lost, duplicated, reordered, corrupt);
    }

    /** The task goes on to poll behind its last event. That is when it returns it again. */
    @Test
    void verifiesNoRunWithADoubledTail() {
        LoadSpec spec = spec("tail", Layout.SINGLE);
        LoadResult result = new LoadRun(stack, out).run(spec, (worker, connector) -> {
            failpoints.arm(Failpoint.POLL_RETURNS, FailpointAction.REPEAT_LAST, 1);
            assertThat(failpoints.awaitHit(PATIENCE)).isTrue();
        });

        assertFound(result, 0, 1, 0, 0);
    }

    /** Plain records and bulk records, warm and after a restart of the broker. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aNewGroupReadsWhatARunHasWrittenAndNoticesWhatChanged(boolean bulk) {
        LoadSpec spec = spec("again-" + bulk, new Layout(1, 2, 4, 1)).with("bulk.enabled", Boolean.toString(bulk));
        new LoadRun(stack, out).runAnd(spec, result -> {
            assertThat(result.isVerified()).as(result.text()).isTrue();
            assertThat(result.first().meanBytes()).isEqualTo(100);

            CatchUp warm = CatchUp.read(stack.bootstrapServers(), spec, "warm");
            assertThat(warm.isVerified())
                    .as(warm.reading().findings().toString())
                    .isTrue();
            assertThat(warm.perSec()).isPositive();
            assertThat(warm.mbPerSec()).isEqualTo(warm.perSec() * 100 / 1e6);
            assertThat(warm.waitMs(99)).isGreaterThanOrEqualTo(warm.waitMs(50));

            TopicFiles files = TopicFiles.of(stack.directory(), spec);
            assertThat(files.mb()).isGreaterThan(EVENTS * 60 / 1e6);
            stack.restartBrokers();
            assertThat(CatchUp.read(stack.bootstrapServers(), spec, "cold").isVerified())
                    .isTrue();

            send(spec.topic(), 1, 1);
            CatchUp more = CatchUp.read(stack.bootstrapServers(), spec, "more");
            assertThat(more.isVerified()).isFalse();
            Findings found = more.reading().findings();
            assertThat(bulk ? found.corrupt() : found.duplicated()).isEqualTo(1);
            return null;
        });
    }

    private static void assertFound(LoadResult result, int lost, int duplicated, int reordered, int corrupt) {
        assertThat(result.isVerified()).isFalse();
        Findings found = result.findings();
        assertThat(found.lost()).isEqualTo(lost);
        assertThat(found.duplicated()).isEqualTo(duplicated);
        assertThat(found.reordered()).isEqualTo(reordered);
        assertThat(found.phantom()).isZero();
        assertThat(found.corrupt()).isEqualTo(corrupt);
        assertThat(result.problem()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Delivery.class)
    void theProducerAloneIsCheckedTheSameWay(Delivery delivery) {
        String topic = "alone-" + delivery.key();
        LoadSpec spec = LoadSpec.saturating("none", topic, delivery, EVENTS, 0, Map.of());
        LoadResult result = new TransactionalProducer(stack, out).run(spec, 7_000, Map.of());

        assertThat(result.isVerified()).as(result.text()).isTrue();
        assertThat(result.first().measured()).isEqualTo(EVENTS);

        LoadResult refused = new TransactionalProducer(stack, out)
                .run(
                        LoadSpec.saturating("none", topic + "-refused", delivery, EVENTS, 0, Map.of()),
                        7_000,
                        Map.of(ProducerConfig.COMPRESSION_TYPE_CONFIG, "none such"));
        assertThat(refused.isVerified()).isFalse();
        assertThat(refused.problem()).isEqualTo("the producer failed");
    }

    /** More than one poll takes, so that nobody ends before the end. */
    @Test
    void aGroupReadsToTheEndHoweverMuchLiesBehindTheLastEvent() {
        LoadSpec spec = LoadSpec.saturating("none", "behind", Delivery.AT_LEAST_ONCE, EVENTS, 0, Map.of());
        stack.topics().create(List.of(spec.topic()), 1);
        try (Readers readers = new Readers(stack.bootstrapServers(), spec)) {
            send(spec.topic(), EVENTS, 3);
            assertThat(readers.stop().get(0).findings().duplicated()).isEqualTo(2 * EVENTS);
        }
    }

    private static void send(String topic, int events, int times) {
        SyntheticEvent codec = new SyntheticEvent();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, stack.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int time = 0; time < times; time++) {
                for (int number = 0; number < events; number++) {
                    byte[] value = codec.encode(0, 0, number, 0, 100, false);
                    Object ignored = producer.send(new ProducerRecord<>(topic, 0, null, value));
                }
            }
        }
    }
}
