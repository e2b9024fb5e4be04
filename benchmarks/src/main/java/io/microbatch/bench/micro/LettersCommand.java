package io.microbatch.bench.micro;

import io.microbatch.bench.Table;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** Runs {@link LetterBenchmark}: what each mode of dead letters costs an event. */
@Command(name = "letters", description = "Compares the modes of dead letters with a worker that converts.")
public final class LettersCommand extends ForkedCommand {

    private static final Table TABLE = new Table()
            .text(10, "mode", "name")
            .number(10, "ns/event", "ns_per_event", "%.0f")
            .number(10, "quartile 1", "ns_per_event_q1", "%.0f")
            .number(10, "quartile 3", "ns_per_event_q3", "%.0f")
            .number(12, "bytes/event", "bytes_per_event", "%.0f")
            .number(8, "of none", "of_none", "%.2f");

    private final Kinds<LetterKind> series = new Kinds<>(LetterBenchmark.class, LetterKind.class);

    @Override
    List<Kinds<?>> series() {
        return List.of(series);
    }

    @Override
    Map<String, Object> report(PrintStream out) {
        double none = series.figures().get(LetterKind.NONE).median();
        List<Map<String, Object>> rows = rows(series, kind -> {
            Figures figures = series.figures().get(kind);
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("ns_per_event", Math.round(figures.median()));
            row.put("ns_per_event_q1", Math.round(figures.quantile(0.25)));
            row.put("ns_per_event_q3", Math.round(figures.quantile(0.75)));
            row.put("bytes_per_event", Math.round(figures.bytesPerOp()));
            row.put("of_none", rounded(figures.median() / none, 2));
            return row;
        });
        out.println(TABLE.header());
        rows.forEach(row -> out.println(TABLE.row(row)));
        return Map.of("letters", rows);
    }
}
