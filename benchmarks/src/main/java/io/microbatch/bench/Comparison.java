package io.microbatch.bench;

import io.microbatch.bench.load.Medians;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Events per second of contenders that take turns, round after round: medians, spreads, and how the first of them
 * compares with each. One thread.
 *
 * @param <C> a contender
 */
public final class Comparison<C extends Enum<C>> {

    private final List<C> contenders;
    private final C reference;
    private final Map<String, Integer> collapsed = new LinkedHashMap<>();
    private final Map<C, List<Double>> perSec = new LinkedHashMap<>();

    /** Compares the reference with the others. */
    public Comparison(List<C> contenders, C reference) {
        this.contenders = contenders;
        this.reference = reference;
        contenders.forEach(contender -> perSec.put(contender, new ArrayList<>()));
    }

    /** A contender's name, as results have it. */
    public static String key(Enum<?> contender) {
        return contender.name().toLowerCase(Locale.ROOT);
    }

    /**
     * The contenders in the order of a round, the same one in each run. As many rounds in a row as there are contenders
     * begin with each of them. Every second round is the reverse of the one before it, so that in both together each is
     * as early as the others, and of three and more none follows the same one in two rounds in a row.
     *
     * @param round 0 for the first one that counts; those before it are negative
     */
    public static <T> List<T> order(List<T> contenders, int round) {
        int step = Math.floorMod(round, 2) == 0 ? 1 : -1;
        List<T> order = new ArrayList<>(contenders.size());
        for (int i = 0; i < contenders.size(); i++) {
            order.add(contenders.get(Math.floorMod(step * i - round, contenders.size())));
        }
        return order;
    }

    /** A run that counts is one of a stock contender that did not end in time: it has carried this much. */
    public void addCollapsed(C contender, double eventsPerSec) {
        add(contender, eventsPerSec);
        int ignored = collapsed.merge(key(contender), 1, Integer::sum);
    }

    /** A verified run that counts. */
    public void add(C contender, double eventsPerSec) {
        perSec.get(contender).add(eventsPerSec);
    }

    /**
     * Prints a row for each contender, and answers the medians, {@code spread} and {@code each_round}, and with
     * {@code collapsed} how many runs of a contender did not end in time. 0 for one without a run.
     */
    public Map<String, Object> report(String title, PrintWriter out) {
        Map<String, Object> json = new LinkedHashMap<>();
        Map<String, Object> spread = new LinkedHashMap<>();
        Map<String, Object> eachRound = new LinkedHashMap<>();
        double ours = Medians.of(perSec.getOrDefault(reference, List.of()));
        out.printf("%n%-31s %12s %27s %20s%n", title, "events/s", "min to max", key(reference) + " is");
        for (C contender : contenders) {
            List<Double> all = perSec.get(contender);
            double median = Medians.of(all);
            json.put(key(contender), Math.round(median));
            eachRound.put(key(contender), all.stream().map(Math::round).toList());
            if (!all.isEmpty()) {
                double min = Collections.min(all);
                double max = Collections.max(all);
                spread.put(key(contender), List.of(Math.round(min), Math.round(max)));
                String format = "%-31s %,12.0f %,12.0f to %,11.0f %,18.2f x%s%n";
                Integer late = collapsed.get(key(contender));
                String remark = late == null ? "" : "  collapsed in " + late + " of " + all.size() + " rounds";
                out.printf(Locale.ROOT, format, key(contender), median, min, max, ours / median, remark);
            }
        }
        out.println();
        out.flush();
        json.put("spread", spread);
        json.put("each_round", eachRound);
        if (!collapsed.isEmpty()) {
            json.put("collapsed", collapsed);
        }
        return json;
    }
}
