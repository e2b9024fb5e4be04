package io.microbatch.bench.cdc;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Compares each hosted contender with the stock setting that is hardest to beat: at its own latency, and at its own
 * backlog rate. Of medians. Pure.
 */
final class CdcGoals {

    static final double BACKLOG_GOAL = 1.2;
    static final double P99_GOAL = 0.6;
    static final double CPU_GOAL = 1.0;

    /** Medians of five turns lie apart by this much for no reason. So each comparison is made with and without it. */
    static final double TOLERANCE = 0.1;

    private static final String RULE = "p99 is at 1,000 rows/s. same_p99: of the stock settings whose p99 is no higher"
            + " than the hosted one's, the one with the highest backlog rate; where the hosted p99 is the lowest, the"
            + " stock setting with the lowest. Met: the hosted p99 is no higher and its backlog rate 1.2 times or"
            + " more. same_backlog: of the stock settings whose backlog rate is no less than the hosted one's, the one"
            + " with the lowest p99; where the hosted rate is the highest, the stock setting with the highest. Met:"
            + " the hosted backlog rate is no less and its p99 0.6 times or less. within_tenth: 'no higher' and 'no"
            + " less' allow for a tenth. cpu_met: CPU of worker and broker per row is 1.0 times or less, in the"
            + " backlog and at 1,000/s. Ratios are of the hosted contender's median to the stock setting's.";

    private final Map<CdcContender, CdcFigures> stock = new EnumMap<>(CdcContender.class);
    private final Map<CdcContender, CdcFigures> hosted = new EnumMap<>(CdcContender.class);

    /** One contender relative to another: over 1 is more. */
    record Ratios(
            CdcContender rival, double p99At50, double p99, double backlog, double cpuInBacklog, double cpuAt1000) {

        static Ratios of(CdcFigures ours, CdcContender rival, CdcFigures theirs) {
            return new Ratios(
                    rival,
                    ours.p99Ms50() / theirs.p99Ms50(),
                    ours.p99Ms1000() / theirs.p99Ms1000(),
                    ours.backlogPerSec() / theirs.backlogPerSec(),
                    ours.backlogCpu().total() / theirs.backlogCpu().total(),
                    ours.cpu1000().total() / theirs.cpu1000().total());
        }

        boolean keepsCpu() {
            return cpuInBacklog <= CPU_GOAL && cpuAt1000 <= CPU_GOAL;
        }

        Map<String, Object> json() {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("compared_with", rival.text());
            json.put("p99_ratio_50", CdcFigures.orNull(p99At50));
            json.put("p99_ratio", CdcFigures.orNull(p99));
            json.put("backlog_ratio", CdcFigures.orNull(backlog));
            json.put("cpu_ratio_backlog", CdcFigures.orNull(cpuInBacklog));
            json.put("cpu_ratio_1000", CdcFigures.orNull(cpuAt1000));
            return json;
        }
    }

    /** What a hosted contender is to reach against a rival. */
    record Verdict(String name, CdcContender ours, Ratios ratios, boolean met) {

        String text() {
            return String.format(
                    Locale.ROOT,
                    "%-11s %-26s versus %-13s p99 %.2f, backlog %.2f, CPU %.2f in the backlog, %.2f at 1,000/s: %s%s",
                    ours.text(),
                    name,
                    ratios.rival().text(),
                    ratios.p99(),
                    ratios.backlog(),
                    ratios.cpuInBacklog(),
                    ratios.cpuAt1000(),
                    met ? "met" : "not met",
                    ratios.keepsCpu() ? "" : ", more CPU");
        }

        private Map<String, Object> json() {
            Map<String, Object> json = ratios.json();
            json.put("met", met);
            json.put("cpu_met", ratios.keepsCpu());
            return json;
        }
    }

    /** Of the medians of all contenders that were measured. One without a latency or a rate is left out. */
    CdcGoals(Map<CdcContender, CdcFigures> medians) {
        medians.forEach((contender, figures) -> {
            boolean complete = Double.isFinite(figures.p99Ms1000()) && Double.isFinite(figures.backlogPerSec());
            // The engine delivers at least once, so that it is no setting of the same promise.
            if (complete && !contender.isEngine()) {
                (contender.isStock() ? stock : hosted).put(contender, figures);
            }
        });
    }

    /** Four for each hosted contender. None where only stock settings, or none of them, were measured. */
    List<Verdict> verdicts() {
        List<Verdict> all = new ArrayList<>();
        hosted.forEach((contender, ours) -> {
            for (double tolerance : new double[] {0, TOLERANCE}) {
                String suffix = tolerance > 0 ? "_within_tenth" : "";
                rivalAtP99(ours, tolerance)
                        .map(rival -> Ratios.of(ours, rival, stock.get(rival)))
                        .ifPresent(ratios -> all.add(new Verdict(
                                "same_p99" + suffix,
                                contender,
                                ratios,
                                ratios.p99() <= 1 + tolerance && ratios.backlog() >= BACKLOG_GOAL)));
                rivalAtBacklog(ours, tolerance)
                        .map(rival -> Ratios.of(ours, rival, stock.get(rival)))
                        .ifPresent(ratios -> all.add(new Verdict(
                                "same_backlog" + suffix,
                                contender,
                                ratios,
                                ratios.backlog() >= 1 - tolerance && ratios.p99() <= P99_GOAL)));
            }
        });
        return all;
    }

    /** The fastest in the backlog of those that are as quick as ours, and where none is, the quickest. */
    private Optional<CdcContender> rivalAtP99(CdcFigures ours, double tolerance) {
        double quickest =
                stock.values().stream().mapToDouble(CdcFigures::p99Ms1000).min().orElse(Double.NaN);
        double bound = Math.max(ours.p99Ms1000(), quickest) * (1 + tolerance);
        return stock.keySet().stream()
                .filter(rival -> stock.get(rival).p99Ms1000() <= bound)
                .max(Comparator.comparingDouble(rival -> stock.get(rival).backlogPerSec()));
    }

    /** The quickest of those that are as fast in the backlog as ours, and where none is, the fastest. */
    private Optional<CdcContender> rivalAtBacklog(CdcFigures ours, double tolerance) {
        double fastest = stock.values().stream()
                .mapToDouble(CdcFigures::backlogPerSec)
                .max()
                .orElse(Double.NaN);
        double bound = Math.min(ours.backlogPerSec(), fastest) * (1 - tolerance);
        return stock.keySet().stream()
                .filter(rival -> stock.get(rival).backlogPerSec() >= bound)
                .min(Comparator.comparingDouble(rival -> stock.get(rival).p99Ms1000()));
    }

    /** As a result has it: the rule, the comparisons, and each hosted contender with every stock setting. */
    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("rule", RULE);
        hosted.forEach((contender, ours) -> {
            Map<String, Object> own = new LinkedHashMap<>();
            verdicts().stream()
                    .filter(verdict -> verdict.ours() == contender)
                    .forEach(verdict -> own.put(verdict.name(), verdict.json()));
            own.put(
                    "versus",
                    stock.keySet().stream()
                            .map(rival ->
                                    Ratios.of(ours, rival, stock.get(rival)).json())
                            .toList());
            json.put(contender.text(), own);
        });
        return json;
    }
}
