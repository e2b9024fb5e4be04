package io.microbatch.bench.micro;

import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * One fork of a benchmark with one value of its parameter {@code kind}. Kinds that are compared take turns, a fork each
 * per round, so that a machine that is busy for a while disturbs all of them alike.
 *
 * @param benchmark the class of the benchmark
 * @param quick few and short iterations: a smoke run, not a result
 */
record MicroRun(Class<?> benchmark, boolean quick) {

    /** How many rounds make a result. */
    static int rounds(boolean quick) {
        return quick ? 1 : 5;
    }

    /** Adds the iterations of a fork. Throws if one of them failed. */
    void measure(String kind, Figures figures) throws RunnerException {
        TimeValue iterationTime = TimeValue.milliseconds(quick ? 100 : 250);
        Options options = new OptionsBuilder()
                .include(benchmark.getName())
                .param("kind", kind)
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
