package io.microbatch.bench.micro;

import io.microbatch.bench.ResultFile;
import java.io.PrintStream;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
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
        Map<HandoverKind, RingReport.Figures> figures = new EnumMap<>(HandoverKind.class);
        for (HandoverKind kind : HandoverKind.values()) {
            figures.put(kind, new RingReport.Figures());
        }
        int rounds = quick ? 1 : 5;
        for (int round = 1; round <= rounds; round++) {
            for (HandoverKind kind : HandoverKind.values()) {
                out.println("round " + round + " of " + rounds + ": " + kind.label());
                measure(kind, figures.get(kind));
            }
        }
        RingReport report = new RingReport(figures);
        out.println();
        out.print(report.table());
        resultFile.write(report.result());
        return 0;
    }

    private void measure(HandoverKind kind, RingReport.Figures figures) throws RunnerException {
        TimeValue iterationTime = TimeValue.milliseconds(quick ? 100 : 250);
        Options options = new OptionsBuilder()
                .include(RingBenchmark.class.getName())
                .param("kind", kind.label())
                .forks(1)
                .warmupIterations(quick ? 3 : 6)
                .warmupTime(iterationTime)
                .measurementIterations(quick ? 3 : 10)
                .measurementTime(iterationTime)
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
        for (RunResult run : new Runner(options).run()) {
            run.getBenchmarkResults()
                    .forEach(fork -> fork.getIterationResults()
                            .forEach(iteration ->
                                    figures.add(iteration.getPrimaryResult().getScore(), allocatedBytes(iteration))));
        }
    }

    private static double allocatedBytes(IterationResult iteration) {
        double[] bytes = {Double.NaN};
        iteration.getSecondaryResults().forEach((name, result) -> {
            if (name.endsWith("gc.alloc.rate.norm")) {
                bytes[0] = result.getScore();
            }
        });
        if (Double.isNaN(bytes[0])) {
            throw new IllegalStateException("the allocation profiler gave no figure");
        }
        return bytes[0];
    }
}
