package io.microbatch.bench.frontier;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * All contenders at one rate. Immutable.
 *
 * @param perSec the rate in events per second
 */
record AtRate(int perSec, List<Standing> standings) {

    /** A setting of ours, and a stock one that is better in both latency and CPU. */
    record Dominated(Standing ours, Standing stock) {}

    /**
     * How a target was kept.
     *
     * @param ours the setting that has it
     * @param cheapest the stock setting with the least CPU of those that keep the target; empty if none does
     * @param tpsOfInterval100 transactions per second of the stock interval of 100 ms; not a number without it
     */
    record Target(Standing ours, Optional<Standing> cheapest, double tpsOfInterval100) {

        int targetMs() {
            return ours.contender().targetMs();
        }

        /** On the median of the 99th percentiles. A target is not kept where a round did not carry the rate. */
        boolean isKept() {
            return ours.carriedAlways() && ours.p99Ms() <= targetMs();
        }

        /** Our CPU divided by that of the cheapest. Not a number without one of the two. */
        double cpuRatio() {
            return ours.cpu() / cheapest.map(Standing::cpu).orElse(Double.NaN);
        }
    }

    private List<Standing> stock() {
        return standings.stream().filter(each -> each.contender().isStock()).toList();
    }

    private List<Standing> ours() {
        return standings.stream().filter(each -> !each.contender().isStock()).toList();
    }

    /**
     * Each pair in which the stock setting has both a lower p99 and less CPU, or carries the rate where ours does not.
     */
    List<Dominated> dominated() {
        List<Dominated> pairs = new ArrayList<>();
        for (Standing ours : ours()) {
            for (Standing stock : stock()) {
                boolean carriesAlone = stock.carried() && !ours.carried();
                if (carriesAlone || (stock.p99Ms() < ours.p99Ms() && stock.cpu() < ours.cpu())) {
                    pairs.add(new Dominated(ours, stock));
                }
            }
        }
        return pairs;
    }

    /** One for each contender with a target. */
    List<Target> targets() {
        double interval = stock().stream()
                .filter(each -> each.contender().hasIntervalOf100())
                .mapToDouble(Standing::tps)
                .findFirst()
                .orElse(Double.NaN);
        return ours().stream()
                .filter(each -> each.contender().targetMs() > 0)
                .map(each -> new Target(each, cheapest(each.contender().targetMs()), interval))
                .toList();
    }

    private Optional<Standing> cheapest(int targetMs) {
        return stock().stream()
                .filter(each -> each.p99Ms() <= targetMs && !Double.isNaN(each.cpu()))
                .min(Comparator.comparingDouble(Standing::cpu));
    }
}
