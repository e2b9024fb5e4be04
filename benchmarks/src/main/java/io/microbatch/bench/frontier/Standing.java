package io.microbatch.bench.frontier;

import io.microbatch.bench.load.Medians;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What a contender showed in all rounds at a rate. Immutable.
 *
 * @param contender the setting
 * @param turns one for each round, in order
 */
record Standing(Contender contender, List<Turn> turns) {

    /** In most of its rounds. */
    boolean carried() {
        return turns.stream().filter(Turn::carried).count() * 2 > turns.size();
    }

    /** In each of its rounds. */
    boolean carriedAlways() {
        return turns.stream().allMatch(Turn::carried);
    }

    /** The median of a figure over the rounds that carried the rate. Not a number if most of them did not. */
    double median(ToDoubleFunction<Turn> figure) {
        return carried() ? Medians.of(values(figure)) : Double.NaN;
    }

    /** The median of a latency, where a round that did not carry the rate has an infinite one. */
    private double medianOfAll(ToDoubleFunction<Turn> latency) {
        return carried()
                ? Medians.of(turns.stream()
                        .map(turn -> turn.carried() ? latency.applyAsDouble(turn) : Double.POSITIVE_INFINITY)
                        .toList())
                : Double.NaN;
    }

    /** The smallest and the largest of the same rounds. Empty if there is no median. */
    List<Double> spread(ToDoubleFunction<Turn> figure) {
        List<Double> values = carried() ? values(figure) : List.of();
        return values.isEmpty()
                ? List.of()
                : List.of(
                        values.stream().min(Double::compare).orElseThrow(),
                        values.stream().max(Double::compare).orElseThrow());
    }

    private List<Double> values(ToDoubleFunction<Turn> figure) {
        return turns.stream()
                .filter(Turn::carried)
                .map(figure::applyAsDouble)
                .filter(value -> !Double.isNaN(value))
                .toList();
    }

    /** Events per second over all verified rounds, carried or not. */
    double perSec() {
        return Medians.of(
                turns.stream().filter(Turn::verified).map(Turn::perSec).toList());
    }

    /** How many events the latencies of the rounds are of, all of them together. */
    long events() {
        return turns.stream().mapToLong(Turn::events).sum();
    }

    double p50Ms() {
        return medianOfAll(Turn::p50Ms);
    }

    double p95Ms() {
        return medianOfAll(Turn::p95Ms);
    }

    double p999Ms() {
        return medianOfAll(Turn::p999Ms);
    }

    double p99Ms() {
        return medianOfAll(Turn::p99Ms);
    }

    double cpu() {
        return median(Turn::cpu);
    }

    double tps() {
        return median(Turn::tps);
    }
}
