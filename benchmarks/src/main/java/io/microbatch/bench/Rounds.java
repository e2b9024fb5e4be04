package io.microbatch.bench;

import io.microbatch.bench.load.Medians;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One contender's figures of each round, by name, with the medians and the spread of all rounds. One thread. */
public final class Rounds {

    private final List<Map<String, Object>> each = new ArrayList<>();
    private final Map<String, List<Double>> byName = new LinkedHashMap<>();

    /** A round. A figure that is not a finite number is missing in it. */
    public void add(Map<String, Double> figures) {
        Map<String, Object> measured = new LinkedHashMap<>();
        figures.forEach((name, value) -> {
            if (Double.isFinite(value)) {
                measured.put(name, value);
                byName.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
            }
        });
        each.add(measured);
    }

    /** The median over the rounds that have the figure. Not a number where none has it. */
    public double median(String name) {
        return Medians.of(byName.getOrDefault(name, List.of()));
    }

    /** The medians, {@code spread} (the smallest and the largest) and {@code each_round}. */
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        Map<String, Object> spread = new LinkedHashMap<>();
        byName.forEach((name, values) -> {
            json.put(name, Medians.of(values));
            spread.put(name, List.of(Collections.min(values), Collections.max(values)));
        });
        json.put("spread", spread);
        json.put("each_round", each);
        return json;
    }
}
