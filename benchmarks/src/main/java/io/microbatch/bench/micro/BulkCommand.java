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

/** Runs {@link BulkBenchmark} in forks that take turns and reports events per second, and the part of a plain copy. */
@Command(name = "bulk", description = "Compares packing and reading bulk records with a plain copy.")
public final class BulkCommand implements Callable<Integer> {

    @Mixin
    private ResultFile resultFile;

    @Option(names = "--quick", description = "Few and short iterations: a smoke run, not a result.")
    private boolean quick;

    @Option(names = "--rounds", paramLabel = "N", description = "Forks of each kind.")
    private int rounds;

    @Override
    public Integer call() throws RunnerException {
        PrintStream out = System.out;
        Map<BulkKind, Figures> figures = new EnumMap<>(BulkKind.class);
        for (BulkKind kind : BulkKind.values()) {
            figures.put(kind, new Figures());
        }
        MicroRun run = new MicroRun(BulkBenchmark.class, quick);
        int last = rounds > 0 ? rounds : run.rounds();
        for (int round = 1; round <= last; round++) {
            for (BulkKind kind : BulkKind.values()) {
                out.println("round " + round + " of " + last + ": " + kind.label());
                run.measure(kind.label(), figures.get(kind));
            }
        }
        BulkReport report = new BulkReport(figures);
        out.println();
        out.print(report.table());
        resultFile.write(report.result());
        return 0;
    }
}
