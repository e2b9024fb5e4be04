package io.microbatch.bench.micro;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Records of 900 kB per second that one thread packs or reads, versus a plain copy of the same bytes. One that missed
 * an event throws and has no rate.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class BulkBenchmark {

    /** A label of {@link BulkKind}. */
    @Param({"copy", "checksum", "encode", "cursor", "cursor-deserializer", "list-deserializer"})
    public String kind;

    private BulkKind measured;
    private BulkWork work;
    private int next;

    /** Makes the records. */
    @Setup
    public void prepare() {
        measured = ForkedCommand.ofLabel(BulkKind.class, kind);
        work = new BulkWork(measured.records(), measured.eventBytes(), measured.spreadBytes());
    }

    /** One record, complete and verified. */
    @Benchmark
    public long record() {
        int record = next;
        next = record + 1 == measured.records() ? 0 : record + 1;
        long sum = measured.work().over(work, record);
        if (sum != work.expected(record)) {
            throw new IllegalStateException(kind + " missed events of record " + record);
        }
        return sum;
    }
}
