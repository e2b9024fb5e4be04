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

/** Runs {@link TransformBenchmark} in forks that take turns and reports nanoseconds and bytes per record. */
@Command(name = "transforms", description = "Compares the transforms with Kafka's own.")
public final class TransformsCommand implements Callable<Integer> {

    @Mixin
    private ResultFile resultFile;

    @Option(names = "--quick", description = "Few and short iterations: a smoke run, not a result.")
    private boolean quick;

    @Override
    public Integer call() throws RunnerException {
        PrintStream out = System.out;
        Map<TransformKind, Figures> figures = new EnumMap<>(TransformKind.class);
        for (TransformKind kind : TransformKind.values()) {
            figures.put(kind, new Figures());
        }
        MicroRun run = new MicroRun(TransformBenchmark.class, quick);
        for (int round = 1; round <= run.rounds(); round++) {
            for (TransformKind kind : TransformKind.values()) {
                out.println("round " + round + " of " + run.rounds() + ": " + kind.label());
                run.measure(kind.label(), figures.get(kind));
            }
        }
        TransformReport report = new TransformReport(figures);
        out.println();
        out.print(report.table());
        resultFile.write(report.result());
        return 0;
    }
}
