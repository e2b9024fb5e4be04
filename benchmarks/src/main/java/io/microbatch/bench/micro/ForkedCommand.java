package io.microbatch.bench.micro;

import io.microbatch.bench.ResultFile;
import java.io.PrintStream;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures kinds of a benchmark that take turns, a fork each per round. What is reported is the median over all
 * iterations of all rounds. A kind that fails its check has no figure, and the command fails.
 */
abstract class ForkedCommand implements Callable<Integer> {

    @Mixin
    private ResultFile resultFile;

    @Option(names = "--quick", description = "Few and short iterations: a smoke run, not a result.")
    private boolean quick;

    @Option(names = "--rounds", paramLabel = "N", description = "Forks of each kind.")
    private int rounds;

    /** What is compared. */
    static final class Kinds<K extends Enum<K>> {

        private final Class<?> benchmark;
        private final Map<K, Figures> figures;

        Kinds(Class<?> benchmark, Class<K> kinds) {
            this.benchmark = benchmark;
            figures = new EnumMap<>(kinds);
            for (K kind : kinds.getEnumConstants()) {
                figures.put(kind, new Figures());
            }
        }

        Map<K, Figures> figures() {
            return figures;
        }

        private void round(boolean quick) throws RunnerException {
            for (Map.Entry<K, Figures> each : figures.entrySet()) {
                new MicroRun(benchmark, quick).measure(label(each.getKey()), each.getValue());
            }
        }
    }

    /** A kind's name in parameters and results: {@code cursor-deserializer}. */
    static String label(Enum<?> kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The kind of a label. */
    static <K extends Enum<K>> K ofLabel(Class<K> kinds, String label) {
        return Enum.valueOf(kinds, label.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** What is measured. */
    abstract List<Kinds<?>> series();

    /** Prints tables, and answers the result. */
    abstract Map<String, Object> report(PrintStream out);

    @Override
    public final Integer call() throws RunnerException {
        int last = rounds > 0 ? rounds : MicroRun.rounds(quick);
        for (int round = 1; round <= last; round++) {
            System.out.println("round " + round + " of " + last);
            for (Kinds<?> series : series()) {
                series.round(quick);
            }
        }
        System.out.println();
        resultFile.write(report(System.out));
        return 0;
    }

    /** The rows of a series, by kind. */
    static <K extends Enum<K>> List<Map<String, Object>> rows(
            Kinds<K> series, Function<K, Map<String, Object>> figures) {
        return series.figures().keySet().stream()
                .map(kind -> {
                    Map<String, Object> row = new LinkedHashMap<>();
                    row.put("name", label(kind));
                    row.putAll(figures.apply(kind));
                    row.put("iterations", series.figures().get(kind).count());
                    return row;
                })
                .toList();
    }

    /** The value with this number of decimals. */
    static double rounded(double value, int decimals) {
        double factor = Math.pow(10, decimals);
        return Math.round(value * factor) / factor;
    }
}
