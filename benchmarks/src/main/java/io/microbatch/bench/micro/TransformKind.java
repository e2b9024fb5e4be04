package io.microbatch.bench.micro;

import io.microbatch.connect.transforms.ObservePressure;
import io.microbatch.connect.transforms.RouteByPressure;
import io.microbatch.connect.transforms.StampPressure;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.transforms.InsertField;
import org.apache.kafka.connect.transforms.InsertHeader;
import org.apache.kafka.connect.transforms.Transformation;

/** The transforms that are compared, each with the records that it is given. */
enum TransformKind {
    /** What every transform that changes something pays: the record made anew with nothing changed. */
    NEW_RECORD(SampleRecords::events, NewRecord::new, Map.of()),
    /** Kafka's, one header. */
    INSERT_HEADER(SampleRecords::events, InsertHeader::new, Map.of("header", "level", "value.literal", "4")),
    /** Six headers. */
    STAMP_PRESSURE(SampleRecords::events, StampPressure::new, Map.of()),
    /** One header. */
    STAMP_PRESSURE_LEVEL(
            SampleRecords::events,
            StampPressure::new,
            Map.of(
                    "batch.sequence.header", "",
                    "batch.position.header", "",
                    "batch.size.header", "",
                    "linger.header", "",
                    "arrival.header", "")),
    /** Kafka's, into a struct of one field: the least that it can be. */
    INSERT_FIELD_STRUCT_OF_1(SampleRecords::smallStructs, InsertField.Value::new, SampleRecords.INSERTED),
    /** Kafka's, into a struct of five fields. */
    INSERT_FIELD_STRUCT_OF_5(SampleRecords::structs, InsertField.Value::new, SampleRecords.INSERTED),
    /** Kafka's, into a map of five fields. */
    INSERT_FIELD_MAP_OF_5(SampleRecords::maps, InsertField.Value::new, SampleRecords.INSERTED),
    /** Over structs of five fields, as all below. */
    OBSERVE_PRESSURE(SampleRecords::structs, ObservePressure::new, Map.of()),
    /** By the level of the batch. */
    ROUTE_BY_LEVEL_OF_BATCH(SampleRecords::events, RouteByPressure::new, Map.of()),
    /** By the level of the rate. */
    ROUTE_BY_LEVEL_OF_RATE(SampleRecords::structs, RouteByPressure::new, Map.of()),
    /** By age. Every event is late. */
    ROUTE_BY_AGE_LATE(SampleRecords::structs, RouteByPressure::new, Map.of("route.by", "age", "age.budget.ms", "1000")),
    /** By age. None is. */
    ROUTE_BY_AGE_IN_TIME(
            SampleRecords::structs,
            RouteByPressure::new,
            Map.of("route.by", "age", "age.budget.ms", Long.toString(Long.MAX_VALUE)));

    private final Supplier<SourceRecord[]> records;
    private final Supplier<Transformation<SourceRecord>> factory;
    private final Map<String, String> settings;

    TransformKind(
            Supplier<SourceRecord[]> records,
            Supplier<Transformation<SourceRecord>> factory,
            Map<String, String> settings) {
        this.records = records;
        this.factory = factory;
        this.settings = settings;
    }

    SourceRecord[] records() {
        return records.get();
    }

    Transformation<SourceRecord> create() {
        Transformation<SourceRecord> transform = factory.get();
        transform.configure(settings);
        return transform;
    }

    /** Makes the record anew and changes nothing. Stateless. */
    private static final class NewRecord implements Transformation<SourceRecord> {
        @Override
        public SourceRecord apply(SourceRecord record) {
            return record.newRecord(
                    record.topic(),
                    record.kafkaPartition(),
                    record.keySchema(),
                    record.key(),
                    record.valueSchema(),
                    record.value(),
                    record.timestamp());
        }

        @Override
        public ConfigDef config() {
            return new ConfigDef();
        }

        @Override
        public void configure(Map<String, ?> configs) {}

        @Override
        public void close() {}
    }
}
