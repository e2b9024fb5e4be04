package io.microbatch.bench.outbox;

import io.microbatch.bench.Goal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** What the outbox upstream is to reach, as ratios of medians within one run, and where it is worse. One thread. */
final class OutboxGoals {

    private static final List<OutboxContender> FLUSHING = List.of(
            OutboxContender.FIRE_FLUSH_AWAIT_10,
            OutboxContender.FIRE_FLUSH_AWAIT_50,
            OutboxContender.FIRE_FLUSH_AWAIT_100,
            OutboxContender.FIRE_FLUSH_AWAIT_1000,
            OutboxContender.FIRE_FLUSH_AWAIT_5000,
            OutboxContender.FIRE_FLUSH_AWAIT_20000,
            OutboxContender.FIRE_FLUSH_AWAIT_100_X2);

    /** What is better when it is less. */
    private static final List<String> COSTS =
            List.of(OutboxTurn.P99_50, OutboxTurn.P99_1000, OutboxTurn.POSTGRES_CPU, OutboxTurn.CARRIER_CPU);

    private final OutboxStandings standings;
    private final List<Goal> goals = new ArrayList<>();

    private OutboxGoals(OutboxStandings standings) {
        this.standings = standings;
    }

    /** The goals of the contenders that were measured, for each setting of the outbox upstream. */
    static List<Goal> of(OutboxStandings standings) {
        OutboxGoals goals = new OutboxGoals(standings);
        standings.contenders().stream().filter(OutboxContender::isOurs).forEach(goals::add);
        return goals.goals;
    }

    private void add(OutboxContender ours) {
        backlog(ours, OutboxContender.FIRE_FLUSH_AWAIT_100, 4);
        backlog(ours, OutboxContender.SEND_AND_WAIT, 100);
        backlog(ours, OutboxContender.HOSTED, 0.9);
        atMost(ours, OutboxTurn.P99_1000, best(OutboxTurn.P99_1000, OutboxGoals::isStockDebezium));
        atMost(ours, OutboxTurn.POSTGRES_CPU, best(OutboxTurn.POSTGRES_CPU, FLUSHING::contains));
        goals.add(new Goal("inversions, " + ours.text(), standings.found(ours).reordered(), 0, true));
    }

    private static boolean isStockDebezium(OutboxContender contender) {
        return contender.kind() == OutboxContender.Kind.DEBEZIUM;
    }

    private void backlog(OutboxContender ours, OutboxContender rival, double limit) {
        if (standings.isMeasured(rival)) {
            double ratio = standings.median(ours, OutboxTurn.BACKLOG) / standings.median(rival, OutboxTurn.BACKLOG);
            goals.add(
                    new Goal(OutboxTurn.BACKLOG + ", " + ours.text() + " versus " + rival.text(), ratio, limit, false));
        }
    }

    /** The one that is hardest to beat. */
    private Optional<OutboxContender> best(String figure, Predicate<OutboxContender> among) {
        Optional<OutboxContender> best = Optional.empty();
        for (OutboxContender each : standings.contenders()) {
            boolean isBetter = best.isEmpty()
                    || standings.median(each, figure) < standings.median(best.get(), figure)
                    || Double.isNaN(standings.median(best.get(), figure));
            if (among.test(each) && isBetter) {
                best = Optional.of(each);
            }
        }
        return best;
    }

    private void atMost(OutboxContender ours, String figure, Optional<OutboxContender> rival) {
        rival.ifPresent(best -> goals.add(new Goal(
                figure + ", " + ours.text() + " versus " + best.text(),
                standings.median(ours, figure) / standings.median(best, figure),
                1,
                true)));
    }

    /** How many times as fast as sending one row after the other each relay is that flushes. No goal. */
    static Map<String, Double> versusSendAndWait(OutboxStandings standings) {
        Map<String, Double> ratios = new LinkedHashMap<>();
        double oneByOne = standings.median(OutboxContender.SEND_AND_WAIT, OutboxTurn.BACKLOG);
        for (OutboxContender each : FLUSHING) {
            double ratio = standings.median(each, OutboxTurn.BACKLOG) / oneByOne;
            if (Double.isFinite(ratio)) {
                ratios.put(each.text(), ratio);
            }
        }
        return ratios;
    }

    /** Every figure in which a setting of the outbox upstream is worse than a rival. */
    static List<String> losing(OutboxStandings standings) {
        List<String> cases = new ArrayList<>();
        for (OutboxContender ours : standings.contenders()) {
            for (OutboxContender rival : standings.contenders()) {
                if (ours.isOurs() && !rival.isOurs()) {
                    if (standings.median(ours, OutboxTurn.BACKLOG) < standings.median(rival, OutboxTurn.BACKLOG)) {
                        cases.add(losing(standings, OutboxTurn.BACKLOG, ours, rival));
                    }
                    COSTS.stream()
                            .filter(cost -> standings.median(ours, cost) > standings.median(rival, cost))
                            .forEach(cost -> cases.add(losing(standings, cost, ours, rival)));
                }
            }
        }
        return cases;
    }

    private static String losing(
            OutboxStandings standings, String figure, OutboxContender ours, OutboxContender rival) {
        return String.format(
                Locale.ROOT,
                "%s, %s: %,.1f versus %,.1f of %s",
                figure,
                ours.text(),
                standings.median(ours, figure),
                standings.median(rival, figure),
                rival.text());
    }
}
