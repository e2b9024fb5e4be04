package io.microbatch.bench.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.Layout;
import io.microbatch.bench.load.Promise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProfilesTest {

    private static final Path SHIPPED = Path.of("profiles");

    @TempDir
    private Path directory;

    private Path file(String... lines) {
        try {
            return Files.write(directory.resolve("mine.yaml"), List.of(lines));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void refusesWorkload(String line, String... message) {
        Path file = file(line);
        assertThatThrownBy(() -> Workload.read(file))
                .as(line)
                .isInstanceOf(ProfileException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContainingAll(message);
    }

    private void refusesDriver(String lines, String... message) {
        Path file = file(lines);
        assertThatThrownBy(() -> Driver.read(file))
                .as(lines)
                .isInstanceOf(ProfileException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContainingAll(message);
    }

    @Test
    void readsAWorkload() {
        Workload workload = Workload.read(file(
                "topics: 2",
                "topic.partitions: 3",
                "source.partitions: 4",
                "consumer.groups: 5",
                "size.bytes: 64-1000",
                "payload: compressible",
                "rates.per.sec: [10, 0]",
                "warmup.seconds: 6",
                "seconds: 7",
                "saturation.bytes: 53200000"));
        assertThat(workload)
                .isEqualTo(new Workload(
                        "mine", new Layout(2, 3, 4, 5), "64-1000", "compressible", List.of(10, 0), 6, 7, 53_200_000));
        assertThat(workload.meanBytes()).isEqualTo(532);
        assertThat(workload.saturationEvents()).isEqualTo(100_000);
        assertThat(workload.lastRate()).isZero();
        assertThat(workload.lastSteadyRate()).hasValue(10);
    }

    @Test
    void anEmptyFileIsTheDefaults() {
        Workload workload = Workload.read(file("# nothing but this"));
        assertThat(workload.layout()).isEqualTo(Layout.SINGLE);
        assertThat(workload.ratesPerSec()).containsExactly(1_000);
    }

    @Test
    void namesAnUnknownKeyItsFileAndWhatIsAllowed() {
        refusesWorkload("size: 100", "size is unknown", "size.bytes", "source.partitions");
        refusesDriver("delivery: exactly-once\nack: 0", "ack is unknown", "connector, delivery, producer");
        refusesDriver(
                "delivery: exactly-once\nproducer: {batch.sice: 1}", "producer.batch.sice is unknown", "batch.size");
        refusesDriver(
                "delivery: exactly-once\nconnector: {batch.mod: x}", "connector.batch.mod is unknown", "batch.mode");
    }

    @Test
    void namesAKeyWithAValueThatCannotBeMeant() {
        refusesWorkload("topics: 0", "topics is a whole number from 1 to 1000");
        refusesWorkload("topics: 1.5", "topics is a whole number");
        refusesWorkload("topics: 2", "topics is more than source.partitions");
        refusesWorkload("rates.per.sec: [10, fast]", "rates.per.sec is a whole number from 0");
        refusesWorkload("rates.per.sec: []", "rates.per.sec needs at least one");
        refusesWorkload("size.bytes: 39", "size.bytes is from 40");
        refusesWorkload("size.bytes: 100-50", "size.bytes is from 40");
        refusesWorkload("size.bytes: 2000000", "size.bytes is from 40");
        refusesWorkload("payload: zeros", "payload is random or compressible");
        refusesDriver("producer: {acks: 1}", "delivery is missing", "exactly-once or at-least-once");
        refusesDriver("delivery: at-most-once", "delivery is exactly-once or at-least-once");
        refusesDriver("delivery: exactly-once\nproducer: lz4", "producer holds settings");
        refusesDriver("delivery: exactly-once\nproducer: {acks: [1]}", "producer.acks needs a single value");
    }

    @Test
    void refusesWhatIsNoYamlOrHasAKeyTwice() {
        refusesWorkload("topics: [1", "no YAML");
        refusesWorkload("just words", "no keys");
        refusesWorkload("seconds: 1\nseconds: 2", "seconds");
        assertThatThrownBy(() -> Workload.read(directory.resolve("none.yaml")))
                .isInstanceOf(ProfileException.class)
                .hasMessageContaining("none.yaml");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bootstrap.servers", "transactional.id", "value.serializer"})
    void leavesToTheWorkerWhatIsTheWorkers(String key) {
        refusesDriver("delivery: exactly-once\nproducer: {" + key + ": x}", "producer." + key + " is unknown");
    }

    @Test
    void leavesToTheWorkloadWhatIsGenerated() {
        refusesDriver(
                "delivery: exactly-once\nconnector: {upstream.synthetic.rate: 5}",
                "connector.upstream.synthetic.rate is unknown");
    }

    @Test
    void aTransactionNeedsEveryAcknowledgement() {
        refusesDriver("delivery: exactly-once\nproducer: {acks: 1}", "producer.acks is all");
        assertThat(Driver.read(file("delivery: exactly-once", "producer: {acks: all}"))
                        .promise(true))
                .isEqualTo(Promise.EXACT);
    }

    @Test
    void aDriverPromisesWhatItsSettingsCanKeep() {
        Driver fast = Driver.read(SHIPPED.resolve("drivers/fast.yaml"));
        assertThat(fast.delivery()).isEqualTo(Delivery.AT_LEAST_ONCE);
        assertThat(fast.overrides())
                .contains(Map.entry("producer.override.acks", "0"), Map.entry("producer.override.linger.ms", "5"));
        assertThat(fast.promise(false)).isEqualTo(new Promise(true, false));
        Driver tuned = Driver.read(SHIPPED.resolve("drivers/tuned.yaml"));
        assertThat(tuned.promise(false)).isEqualTo(Promise.EXACT);
        assertThat(tuned.promise(true)).isEqualTo(new Promise(false, true));
        Driver durable = Driver.read(SHIPPED.resolve("drivers/durable.yaml"));
        assertThat(durable.promise(true)).isEqualTo(Promise.EXACT);
    }

    @Test
    void theBudgetIsTheLevelsOrWhatTheConnectorIsTold() {
        Driver driver = Driver.read(file("delivery: at-least-once", "connector: {latency.target.ms: 20}"));
        assertThat(driver.budgetMs(5)).as("of the setting").isEqualTo(20);
        assertThat(driver.budgetMs(20_000)).as("of the setting").isEqualTo(20);
        Driver shipped = Driver.read(file("delivery: at-least-once"));
        assertThat(shipped.budgetMs(5)).as("the smallest").isEqualTo(30);
        assertThat(shipped.budgetMs(2_000))
                .as("of the stricter level at a border")
                .isEqualTo(50);
    }

    @Test
    void everyShippedFileCanBeReadAndEveryProfileIsAPair() throws IOException {
        try (Stream<Path> workloads = Files.list(SHIPPED.resolve("workloads"));
                Stream<Path> drivers = Files.list(SHIPPED.resolve("drivers"))) {
            assertThat(workloads.map(Workload::read).map(Workload::name))
                    .contains("fast", "tuned", "durable", "calibration-levels", "hot-path");
            assertThat(drivers.map(Driver::read).map(Driver::name))
                    .contains("fast", "tuned", "durable", "calibration-levels", "exactly-once", "at-least-once");
        }
    }
}
