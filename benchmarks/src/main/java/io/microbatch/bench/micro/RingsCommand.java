package io.microbatch.bench.micro;

import io.microbatch.bench.ResultFile;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Runs {@link RingBenchmark} in forks and reports events per second. The kinds take turns, one fork each per round, so
 * that a machine that is busy for a while disturbs all of them alike; what is reported is the median over all
 * iterations of all rounds. A kind that fails its check has no figure, and the command fails.
 */
@Command(name = "rings", description = "Compares the stripe with other queues, one thread to one thread.")
public final class RingsCommand implements Callable<Integer> {
    private static final int CORES_NEEDED = 2;

    @Mixin
    private ResultFile resultFile;

    @Option(names = "--quick", description = "Few and short iterations: a smoke run, not a result.")
    private boolean quick;

    @Override
    public Integer call() throws RunnerException {
        PrintStream out = System.out;
        int cores = Runtime.getRuntime().availableProcessors();
        if (cores < CORES_NEEDED) {
            out.println("Warning: " + cores + " core; producer and consumer take turns and the figures mean little.");
        }
        Map<String, Figures> figures = new LinkedHashMap<>();
        for (HandoverKind kind : HandoverKind.values()) {
            figures.put(kind.label(), new Figures());
        }
        MicroRun run = new MicroRun(RingBenchmark.class, quick);
        for (int round = 1; round <= run.rounds(); round++) {
            for (HandoverKind kind : HandoverKind.values()) {
                out.println("round " + round + " of " + run.rounds() + ": " + kind.label());
                run.measure(kind.label(), figures.get(kind.label()));
            }
        }
        RingReport report = new RingReport(figures);
        out.println();
        out.print(report.table());
        resultFile.write(Map.of("rings", report.result()));
        return 0;
    }
}
