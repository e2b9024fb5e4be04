package io.microbatch.bench.micro;

import io.microbatch.bench.ResultFile;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs {@link SubmitBenchmark} and {@link ByteRingBenchmark} in forks that take turns, and reports medians. */
@Command(
        name = "bytes",
        description = "Compares the stripe of bytes with plain copies, and with other queues, for 64-byte events.")
public final class BytesCommand implements Callable<Integer> {
    private static final List<String> SUBMITS = List.of("copy", "submit", "copy-bulk", "submit-bulk");

    @Mixin
    private ResultFile resultFile;

    @Option(names = "--quick", description = "Few and short iterations: a smoke run, not a result.")
    private boolean quick;

    @Option(names = "--rounds", paramLabel = "N", description = "How often all of them take their turn.")
    private int rounds;

    @Override
    public Integer call() throws RunnerException {
        PrintStream out = System.out;
        Map<String, Figures> submits = new LinkedHashMap<>();
        SUBMITS.forEach(kind -> submits.put(kind, new Figures()));
        Map<String, Figures> handovers = new LinkedHashMap<>();
        for (ByteHandoverKind kind : ByteHandoverKind.values()) {
            handovers.put(kind.label(), new Figures());
        }
        MicroRun submit = new MicroRun(SubmitBenchmark.class, quick);
        MicroRun handover = new MicroRun(ByteRingBenchmark.class, quick);
        int turns = rounds > 0 ? rounds : submit.rounds();
        for (int turn = 1; turn <= turns; turn++) {
            out.println("round " + turn + " of " + turns);
            for (Map.Entry<String, Figures> each : submits.entrySet()) {
                submit.measure(each.getKey(), each.getValue());
            }
            for (Map.Entry<String, Figures> each : handovers.entrySet()) {
                handover.measure(each.getKey(), each.getValue());
            }
        }
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("submit", submitResult(submits, out));
        RingReport report = new RingReport(handovers);
        out.println();
        out.print(report.table());
        result.put("handover", report.result());
        resultFile.write(result);
        return 0;
    }

    private static Map<String, Object> submitResult(Map<String, Figures> submits, PrintStream out) {
        Map<String, Object> json = new LinkedHashMap<>();
        out.printf("%n%-14s %14s %10s %13s%n", "one thread", "events/s", "MB/s", "bytes/event");
        submits.forEach((kind, figures) -> {
            double perSec = figures.quantile(0.5);
            out.printf(
                    Locale.ROOT,
                    "%-14s %,14.0f %,10.0f %13.3f%n",
                    kind,
                    perSec,
                    perSec * ByteHandover.EVENT_BYTES / 1e6,
                    figures.bytesPerOp());
            Map<String, Object> each = new LinkedHashMap<>();
            each.put("events_per_s", Math.round(perSec));
            each.put("events_per_s_q1", Math.round(figures.quantile(0.25)));
            each.put("events_per_s_q3", Math.round(figures.quantile(0.75)));
            each.put("bytes_per_event", Math.round(figures.bytesPerOp() * 1_000) / 1_000.0);
            json.put(kind, each);
        });
        json.put("submit_of_copy", ratio(submits, "submit", "copy", out));
        json.put("submit_bulk_of_copy_bulk", ratio(submits, "submit-bulk", "copy-bulk", out));
        return json;
    }

    private static double ratio(Map<String, Figures> submits, String ours, String plain, PrintStream out) {
        double ratio = submits.get(ours).quantile(0.5) / submits.get(plain).quantile(0.5);
        out.printf(Locale.ROOT, "%s is %.2f of %s%n", ours, ratio, plain);
        return Math.round(ratio * 1_000) / 1_000.0;
    }
}
