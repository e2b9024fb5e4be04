package io.microbatch.bench.micro;

import io.microbatch.bench.ResultFile;
import java.io.PrintStream;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs {@link TransformBenchmark} and {@link UnpackBenchmark} in forks that take turns. */
@Command(name = "transforms", description = "Compares the transforms with Kafka's own.")
public final class TransformsCommand implements Callable<Integer> {

    @Mixin
    private ResultFile resultFile;

    @Option(names = "--quick", description = "Few and short iterations: a smoke run, not a result.")
    private boolean quick;

    @Option(names = "--rounds", paramLabel = "N", description = "Forks of each kind.")
    private int rounds;

    @Override
    public Integer call() throws RunnerException {
        PrintStream out = System.out;
        Map<TransformKind, Figures> figures = new EnumMap<>(TransformKind.class);
        for (TransformKind kind : TransformKind.values()) {
            figures.put(kind, new Figures());
        }
        Map<UnpackKind, Figures> unpacked = new EnumMap<>(UnpackKind.class);
        for (UnpackKind kind : UnpackKind.values()) {
            unpacked.put(kind, new Figures());
        }
        MicroRun transforms = new MicroRun(TransformBenchmark.class, quick);
        MicroRun unpack = new MicroRun(UnpackBenchmark.class, quick);
        int last = rounds > 0 ? rounds : transforms.rounds();
        for (int round = 1; round <= last; round++) {
            out.println("round " + round + " of " + last);
            for (TransformKind kind : TransformKind.values()) {
                transforms.measure(kind.label(), figures.get(kind));
            }
            for (UnpackKind kind : UnpackKind.values()) {
                unpack.measure(kind.label(), unpacked.get(kind));
            }
        }
        TransformReport report = new TransformReport(figures);
        UnpackReport unpackReport = new UnpackReport(unpacked);
        out.println();
        out.print(report.table());
        out.println();
        out.print(unpackReport.table());
        Map<String, Object> result = report.result();
        result.put("bulk", unpackReport.result());
        resultFile.write(result);
        return 0;
    }
}
