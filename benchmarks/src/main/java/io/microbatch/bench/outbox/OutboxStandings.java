package io.microbatch.bench.outbox;

import io.microbatch.bench.Rounds;
import io.microbatch.bench.load.Medians;
import io.microbatch.testbed.oracle.Findings;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The turns of every contender that count, with their medians. One that is not verified has no figures. One thread. */
final class OutboxStandings {

    private final Map<OutboxContender, Findings> found = new EnumMap<>(OutboxContender.class);
    private final Map<OutboxContender, List<OutboxTurn>> turns = new EnumMap<>(OutboxContender.class);

    void add(OutboxContender contender, OutboxTurn turn) {
        Findings ignored = found.merge(contender, turn.found(), Findings::plus);
        turns.computeIfAbsent(contender, each -> new ArrayList<>()).add(turn);
    }

    /** Those that had turns, always in the same order. */
    List<OutboxContender> contenders() {
        return List.copyOf(turns.keySet());
    }

    boolean isMeasured(OutboxContender contender) {
        return turns.containsKey(contender);
    }

    /**
     * Over the verified turns that have the figure. Not a number without one; without end where half of them or more do
     * not carry the rate.
     */
    double median(OutboxContender contender, String figure) {
        return Medians.of(verified(contender)
                .map(turn -> turn.figures().get(figure))
                .filter(value -> !value.isNaN())
                .toList());
    }

    private Stream<OutboxTurn> verified(OutboxContender contender) {
        return turns.getOrDefault(contender, List.of()).stream()
                .filter(turn -> OutboxTurn.isVerified(contender, turn.found()));
    }

    /** Of all turns, verified or not. */
    Findings found(OutboxContender contender) {
        return found.getOrDefault(contender, Findings.NONE);
    }

    /** In how many turns the rate of 1,000 rows/s was carried. */
    private long carried(OutboxContender contender) {
        return verified(contender)
                .filter(turn -> Double.isFinite(turn.at1000().p99Ms()))
                .count();
    }

    /** A contender's row of the result: medians and {@code spread} of the verified turns, and {@code each_round}. */
    Map<String, Object> json(OutboxContender contender) {
        Map<String, Object> json = new LinkedHashMap<>();
        Findings sum = found(contender);
        json.put("name", contender.text());
        json.put("delivery", contender.delivery().text());
        json.put("verified", verified(contender).count() == turns.get(contender).size());
        json.put("turns", turns.get(contender).size());
        json.put("carried_1000_turns", carried(contender));
        json.put("backlog_rows", turns.get(contender).get(0).backlogRows());
        for (String figure : turns.get(contender).get(0).figures().keySet()) {
            json.put(figure, orNull(median(contender, figure)));
        }
        json.put("rows", sum.events());
        json.put("lost", sum.lost());
        json.put("duplicated", sum.duplicated());
        json.put("inversions", sum.reordered());
        json.put("foreign", sum.foreign());
        Rounds rounds = new Rounds();
        verified(contender).forEach(turn -> rounds.add(turn.figures()));
        json.put("spread", rounds.json().get("spread"));
        json.put(
                "each_round",
                turns.get(contender).stream()
                        .map(turn -> eachRound(contender, turn))
                        .toList());
        return json;
    }

    private static Map<String, Object> eachRound(OutboxContender contender, OutboxTurn turn) {
        Map<String, Object> json = new LinkedHashMap<>();
        boolean isVerified = OutboxTurn.isVerified(contender, turn.found());
        json.put("verified", isVerified);
        json.put("found", turn.found().toJson());
        if (isVerified) {
            turn.figures().forEach((figure, value) -> json.put(figure, orNull(value)));
        }
        return json;
    }

    /** JSON has neither NaN nor infinity. */
    private static Double orNull(double value) {
        return Double.isFinite(value) ? (Double) value : null;
    }
}
