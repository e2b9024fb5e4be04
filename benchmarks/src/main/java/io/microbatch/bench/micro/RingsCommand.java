package io.microbatch.bench.micro;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** Runs {@link RingBenchmark} and reports events per second. */
@Command(name = "rings", description = "Compares the stripe with other queues, one thread to one thread.")
public final class RingsCommand extends ForkedCommand {

    private static final int CORES_NEEDED = 2;

    private final Series<HandoverKind> series = new Series<>(RingBenchmark.class, HandoverKind.class);

    @Override
    List<Series<?>> series() {
        return List.of(series);
    }

    @Override
    Map<String, Object> report(PrintStream out) {
        int cores = Runtime.getRuntime().availableProcessors();
        if (cores < CORES_NEEDED) {
            out.println("Warning: " + cores + " core; producer and consumer take turns and the figures mean little.");
        }
        Map<String, Figures> figures = new LinkedHashMap<>();
        series.figures().forEach((kind, each) -> figures.put(label(kind), each));
        RingReport report = new RingReport(figures);
        out.print(report.table());
        return Map.of("rings", report.result());
    }
}
