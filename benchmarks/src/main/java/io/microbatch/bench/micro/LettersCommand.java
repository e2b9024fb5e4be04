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

/** Runs {@link LetterBenchmark} in forks that take turns: what each mode of dead letters costs an event. */
@Command(name = "letters", description = "Compares the modes of dead letters with a worker that converts.")
public final class LettersCommand implements Callable<Integer> {

    @Mixin
    private ResultFile resultFile;

    @Option(names = "--quick", description = "Few and short iterations: a smoke run, not a result.")
    private boolean quick;

    @Option(names = "--rounds", paramLabel = "N", description = "Forks of each kind.")
    private int rounds;

    @Override
    public Integer call() throws RunnerException {
        PrintStream out = System.out;
        Map<LetterKind, Figures> figures = new EnumMap<>(LetterKind.class);
        for (LetterKind kind : LetterKind.values()) {
            figures.put(kind, new Figures());
        }
        MicroRun run = new MicroRun(LetterBenchmark.class, quick);
        int last = rounds > 0 ? rounds : run.rounds();
        for (int round = 1; round <= last; round++) {
            for (LetterKind kind : LetterKind.values()) {
                out.println("round " + round + " of " + last + ": " + kind.label());
                run.measure(kind.label(), figures.get(kind));
            }
        }
        LetterReport report = new LetterReport(figures);
        out.println();
        out.print(report.table());
        resultFile.write(report.result());
        return 0;
    }
}
