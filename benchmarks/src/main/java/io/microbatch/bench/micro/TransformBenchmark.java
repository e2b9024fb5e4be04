package io.microbatch.bench.micro;

import java.util.concurrent.TimeUnit;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.transforms.Transformation;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Nanoseconds that a transform takes for a record, on one thread, as a task applies it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TransformBenchmark {

    /** A label of {@link TransformKind}. */
    @Param({"new-record", "insert-header", "stamp-pressure", "insert-field-struct-of-1", "observe-pressure"})
    public String kind;

    private Transformation<SourceRecord> transform;
    private SourceRecord[] records;
    private int next;

    /** Configures the transform and makes its records. */
    @Setup
    public void prepare() {
        TransformKind measured = ForkedCommand.ofLabel(TransformKind.class, kind);
        transform = measured.create();
        records = measured.records();
    }

    /** One record. */
    @Benchmark
    public SourceRecord apply() {
        return transform.apply(records[next++ & (SampleRecords.COUNT - 1)]);
    }
}
