package io.microbatch.bench.http;

import io.microbatch.bench.load.Medians;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The turns of every contender in every cell, with their medians. One thread. */
final class HttpStandings {

    private final Map<Cell, Map<HttpContender, List<HttpTurn>>> turns = new LinkedHashMap<>();

    /** A turn that counts. One that is not verified has no figures. */
    void add(Cell cell, HttpContender contender, HttpTurn turn) {
        turns.computeIfAbsent(cell, each -> new LinkedHashMap<>())
                .computeIfAbsent(contender, each -> new ArrayList<>())
                .add(turn);
    }

    List<Cell> cells() {
        return List.copyOf(turns.keySet());
    }

    /** Those that had turns in a cell, always in the same order. */
    List<HttpContender> contenders(Cell cell) {
        return turns.getOrDefault(cell, Map.of()).keySet().stream().sorted().toList();
    }

    /** The turns of a contender in a cell. Empty if it had none. */
    List<HttpTurn> turns(Cell cell, HttpContender contender) {
        return turns.getOrDefault(cell, Map.of()).getOrDefault(contender, List.of());
    }

    private List<Double> values(Cell cell, HttpContender contender, ToDoubleFunction<HttpTurn> figure) {
        return turns(cell, contender).stream()
                .filter(HttpTurn::verified)
                .map(figure::applyAsDouble)
                .filter(value -> !value.isNaN())
                .toList();
    }

    /** Over the verified turns. Not a number without one. */
    double median(Cell cell, HttpContender contender, ToDoubleFunction<HttpTurn> figure) {
        return Medians.of(values(cell, contender, figure));
    }

    /** The smallest and the largest of the verified turns. Empty without one. */
    List<Double> spread(Cell cell, HttpContender contender, ToDoubleFunction<HttpTurn> figure) {
        List<Double> values = values(cell, contender, figure);
        return values.isEmpty() ? List.of() : List.of(Collections.min(values), Collections.max(values));
    }

    /** What a contender has carried in the closed loop of 256 connections, in requests per second. */
    double saturation(HttpContender contender) {
        return median(Cell.SATURATION, contender, HttpTurn::requestsPerSec);
    }
}
