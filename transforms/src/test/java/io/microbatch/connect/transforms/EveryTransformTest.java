package io.microbatch.connect.transforms;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.common.Version;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.transforms.Transformation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests every transform of this module with source and sink records of every kind. */
class EveryTransformTest {

    /** A transform and its settings. */
    record Case(Class<?> type, Map<String, String> settings) {

        @SuppressWarnings("unchecked")
        <R extends ConnectRecord<R>> Transformation<R> create() {
            try {
                Transformation<R> transform =
                        (Transformation<R>) type.getConstructor().newInstance();
                transform.configure(settings);
                return transform;
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }
    }

    static Stream<Case> cases() {
        return Stream.of(
                new Case(StampPressure.class, Map.of()),
                new Case(StampPressure.class, Map.of("level.header", "trace")),
                new Case(ObservePressure.class, Map.of()),
                new Case(ObservePressure.class, Map.of("event.time.field", "id", "objective", "latency")),
                new Case(RouteByPressure.class, Map.of()),
                new Case(RouteByPressure.class, Map.of("level.topic.format", "all-${level}")),
                new Case(RouteByPressure.class, Map.of("route.by", "age", "age.budget.ms", "0")),
                new Case(
                        RouteByPressure.class,
                        Map.of("route.by", "age", "age.budget.ms", "0", "late.topic.format", "late")));
    }

    static List<Class<?>> types() {
        return ServiceLoader.load(Transformation.class).stream()
                .<Class<?>>map(ServiceLoader.Provider::type)
                .filter(type -> type.getPackage().equals(EveryTransformTest.class.getPackage()))
                .sorted(Comparator.comparing(Class::getName))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isIdempotent(Case one) {
        Transformation<SourceRecord> transform = one.create();
        for (SourceRecord record : sources()) {
            SourceRecord once = transform.apply(record);
            assertThat(transform.apply(once)).isEqualTo(once);
        }
        everySinkTwice(one);
    }

    private static void everySinkTwice(Case one) {
        Transformation<org.apache.kafka.connect.sink.SinkRecord> transform = one.create();
        Records.sinks().forEach(record -> {
            var once = transform.apply(record);
            assertThat(transform.apply(once)).isEqualTo(once);
            assertThat(once.kafkaOffset()).isEqualTo(record.kafkaOffset());
            assertThat(once.headers()).containsAll(record.headers());
        });
    }

    @ParameterizedTest
    @MethodSource("cases")
    void doesNotChangeItsInput(Case one) {
        Transformation<SourceRecord> transform = one.create();
        for (SourceRecord record : sources()) {
            SourceRecord before = record.newRecord(
                    record.topic(),
                    record.kafkaPartition(),
                    record.keySchema(),
                    record.key(),
                    record.valueSchema(),
                    record.value(),
                    record.timestamp(),
                    record.headers().duplicate());
            SourceRecord after = transform.apply(record);
            assertThat(record).isEqualTo(before);
            assertThat(after.sourcePartition()).isEqualTo(before.sourcePartition());
            assertThat(after.sourceOffset()).isEqualTo(before.sourceOffset());
            assertThat(after.key()).isEqualTo(before.key());
            assertThat(after.value()).isEqualTo(before.value());
            assertThat(after.timestamp()).isEqualTo(before.timestamp());
            assertThat(after.kafkaPartition()).isEqualTo(before.kafkaPartition());
            assertThat(after.headers().lastWithName("retries"))
                    .isEqualTo(before.headers().lastWithName("retries"));
        }
    }

    private static List<SourceRecord> sources() {
        List<SourceRecord> records = new ArrayList<>(Records.sources());
        Records.sources().forEach(record -> records.add(new Records.Placed(record, Records.batch(), 3)));
        return records;
    }

    @ParameterizedTest
    @MethodSource("types")
    void hasTheFieldsOfKafkasTransforms(Class<?> type) throws ReflectiveOperationException {
        Transformation<?> transform = (Transformation<?>) type.getConstructor().newInstance();
        assertThat(transform.version()).isEqualTo(Version.current()).matches("\\d+\\.\\d+\\.\\d+.*");
        Field config = type.getField("CONFIG_DEF");
        assertThat(transform.config()).isSameAs(config.get(null));
        assertThat((String) type.getField("OVERVIEW_DOC").get(null)).endsWith(".");
        transform.close();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isFoundByTheServiceLoader(Case one) {
        assertThat(types()).contains(one.type());
    }
}
