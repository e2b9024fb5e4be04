package io.microbatch.bench.frontier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.bench.load.Delivery;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContenderTest {

    private static Map<String, String> settings(String name) {
        return Contender.named(name, Delivery.EXACTLY_ONCE).settings();
    }

    @Test
    void aNameIsASetting() {
        assertThat(settings("interval-20"))
                .containsEntry("transaction.boundary", "interval")
                .containsEntry("transaction.boundary.interval.ms", "20")
                .containsEntry("baseline.poll.events", "1")
                .doesNotContainKey("baseline.wait.ms");
        assertThat(settings("interval-all-50"))
                .containsEntry("transaction.boundary.interval.ms", "50")
                .containsEntry("baseline.poll.events", "50000");
        assertThat(settings("interval-20-wait-5")).containsEntry("baseline.wait.ms", "5");
        assertThat(settings("interval-100-linger-50"))
                .containsEntry("transaction.boundary.interval.ms", "100")
                .containsEntry("producer.override.linger.ms", "50");
        assertThat(settings("target-30-linger-5"))
                .containsEntry("latency.target.ms", "30")
                .containsEntry("producer.override.linger.ms", "5");
        assertThat(settings("naive"))
                .containsEntry("baseline.poll.events", "1")
                .doesNotContainKey("transaction.boundary");
        assertThat(settings("target-30"))
                .containsEntry("latency.target.ms", "30")
                .doesNotContainKey("batch.objective");
        assertThat(settings("latency")).containsEntry("batch.objective", "latency");
        assertThat(settings("fixed-20"))
                .containsEntry("batch.linger.ms", "20")
                .containsEntry("batch.max.records", "20000");
        assertThat(Contender.named("linger-all-5", Delivery.AT_LEAST_ONCE).settings())
                .containsEntry("producer.override.linger.ms", "5")
                .containsEntry("baseline.poll.events", "50000");
    }

    @Test
    void offsetsOfThisConnectorMayComeLater() {
        Contender delayed = Contender.named("hosted-target-30-delay-9", Delivery.EXACTLY_ONCE);
        assertThat(delayed.name()).isEqualTo("hosted-target-30-delay-9");
        assertThat(delayed.targetMs()).isEqualTo(30);
        assertThat(delayed.settings())
                .containsEntry("batch.offset.delay.ms", "9")
                .containsEntry("latency.target.ms", "30")
                .containsEntry("upstream.type", "connector");
        assertThat(Contender.named("default-delay-5", Delivery.EXACTLY_ONCE).settings())
                .containsEntry("batch.offset.delay.ms", "5");
        assertThatThrownBy(() -> Contender.named("interval-20-delay-5", Delivery.EXACTLY_ONCE))
                .hasMessageContaining("interval-20-delay-5");
        assertThatThrownBy(() -> Contender.named("default-delay-5", Delivery.AT_LEAST_ONCE))
                .hasMessageContaining("default-delay-5");
    }

    @Test
    void aHostedSettingIsThatOfTheGeneratorForTheSourceOfAnInterval() {
        Contender hosted = Contender.named("hosted-target-30", Delivery.EXACTLY_ONCE);
        assertThat(hosted.isStock()).isFalse();
        assertThat(hosted.learns()).isTrue();
        assertThat(hosted.targetMs()).isEqualTo(30);
        assertThat(hosted.settings())
                .containsAllEntriesOf(settings("target-30"))
                .containsEntry("upstream.type", "connector")
                .containsEntry("upstream.connector.baseline.poll.events", "1");
        for (String name : List.of("hosted-interval-20", "hosted-naive", "hosted-hosted-default")) {
            assertThatThrownBy(() -> settings(name)).hasMessageContaining("no contender " + name);
        }
    }

    @ParameterizedTest
    @EnumSource(Delivery.class)
    void allHaveTheSameProducerButForTheLingerThatTheyAreCalledAfter(Delivery delivery) {
        for (String name : Contender.usual(delivery, false, false)) {
            Map<String, String> settings = Contender.named(name, delivery).settings();
            assertThat(settings)
                    .containsEntry("producer.override.compression.type", "lz4")
                    .containsEntry("producer.override.batch.size", "1000000");
            if (!name.contains("linger")) {
                assertThat(settings).as(name).doesNotContainKey("producer.override.linger.ms");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "interval-20,true,false,0",
        "naive,true,false,0",
        "default,false,true,0",
        "latency,false,true,0",
        "target-100,false,true,100",
        "fixed-20,false,false,0"
    })
    void knowsWhatIsStockAndWhatLearns(String name, boolean stock, boolean learns, int targetMs) {
        Contender contender = Contender.named(name, Delivery.EXACTLY_ONCE);
        assertThat(contender.isStock()).isEqualTo(stock);
        assertThat(contender.learns()).isEqualTo(learns);
        assertThat(contender.targetMs()).isEqualTo(targetMs);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "interval",
                "interval-",
                "interval-x",
                "linger-5",
                "target-30-wait-5",
                "linger-5-linger-5",
                "fast",
                "",
                "fixed--1"
            })
    void rejectsWhatIsNoContenderUnderExactlyOnce(String name) {
        assertThatThrownBy(() -> Contender.named(name, Delivery.EXACTLY_ONCE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("exactly-once");
    }

    @ParameterizedTest
    @ValueSource(strings = {"interval-20", "naive"})
    void rejectsTransactionsAtLeastOnce(String name) {
        assertThatThrownBy(() -> Contender.named(name, Delivery.AT_LEAST_ONCE))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void oneTransactionAnEventTakesPartAtLowRatesOnly() {
        assertThat(Contender.named("naive", Delivery.EXACTLY_ONCE).maxRate()).isEqualTo(100);
        assertThat(Contender.named("interval-5", Delivery.EXACTLY_ONCE).maxRate())
                .isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void completeSettingsAreThoseOfTheWholeConnectorWithoutItsRun() {
        Map<String, String> complete =
                FrontierRun.completeSettings(Contender.named("default", Delivery.EXACTLY_ONCE), Delivery.EXACTLY_ONCE);
        assertThat(complete)
                .containsEntry("batch.mode", "adaptive")
                .containsEntry("pressure.window.ms", "10000")
                .containsKey("value.converter")
                .doesNotContainKeys(
                        "producer.override.linger.ms",
                        "upstream.synthetic.topic",
                        "upstream.synthetic.rate",
                        "calibration.directory");
    }

    @Test
    void everyPresetHasStockSettingsAndOurs() {
        for (Delivery delivery : Delivery.values()) {
            for (boolean quick : new boolean[] {true, false}) {
                for (boolean delayed : new boolean[] {true, false}) {
                    List<Contender> all = Contender.usual(delivery, quick, delayed).stream()
                            .map(name -> Contender.named(name, delivery))
                            .toList();
                    assertThat(all).doesNotHaveDuplicates();
                    assertThat(all).anyMatch(Contender::isStock);
                    assertThat(all).extracting(Contender::name).contains("default");
                }
            }
        }
    }
}
