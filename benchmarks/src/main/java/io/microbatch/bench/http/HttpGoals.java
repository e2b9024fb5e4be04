package io.microbatch.bench.http;

import io.microbatch.bench.Goal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What the connector is to reach, as ratios within one run, and where it is worse than another. One thread. */
final class HttpGoals {

    private static final double NONE = Double.NaN;

    private final HttpStandings standings;
    private final List<Goal> goals = new ArrayList<>();

    private HttpGoals(HttpStandings standings) {
        this.standings = standings;
    }

    /** The goals of the cells and contenders that were measured. */
    static List<Goal> of(HttpStandings standings) {
        HttpGoals goals = new HttpGoals(standings);
        goals.throughput();
        goals.latency();
        goals.slowSockets();
        goals.timeouts();
        goals.overload();
        goals.keys();
        return goals.goals;
    }

    private boolean isMeasured(Cell cell, HttpContender... contenders) {
        return List.of(contenders).stream()
                .noneMatch(contender -> standings.turns(cell, contender).isEmpty());
    }

    private double ratio(Cell cell, HttpContender contender, HttpContender rival, ToDoubleFunction<HttpTurn> figure) {
        return standings.median(cell, contender, figure) / standings.median(cell, rival, figure);
    }

    private void atLeast(String name, double value, double limit) {
        goals.add(new Goal(name, value, limit, false));
    }

    private void atMost(String name, double value, double limit) {
        goals.add(new Goal(name, value, limit, true));
    }

    private void throughput() {
        perSec("at saturation", Cell.SATURATION, HttpContender.HTTP_EOS, HttpContender.SERVLET_TX, 20);
        perSec("at saturation", Cell.SATURATION, HttpContender.HTTP_EOS, HttpContender.ASYNC_TX_GROUP_W2, 1);
        perSec("at saturation", Cell.SATURATION, HttpContender.HTTP_ALO, HttpContender.SERVLET, 1.5);
        perSec("at saturation", Cell.SATURATION, HttpContender.HTTP_ALO, HttpContender.ASYNC_L5, 1);
        if (isMeasured(Cell.SATURATION, HttpContender.HTTP_ALO, HttpContender.SERVLET)) {
            atMost(
                    "CPU at saturation, http-alo versus servlet",
                    ratio(Cell.SATURATION, HttpContender.HTTP_ALO, HttpContender.SERVLET, HttpTurn::cpuSecPerMillion),
                    0.7);
        }
        perSec("with 16 clients", Cell.SIXTEEN, HttpContender.HTTP_EOS, HttpContender.SERVLET_TX, 6);
        perSec("with 16 clients", Cell.SIXTEEN, HttpContender.HTTP_ALO, HttpContender.SERVLET, 1);
    }

    private void perSec(String where, Cell cell, HttpContender contender, HttpContender rival, double limit) {
        if (isMeasured(cell, contender, rival)) {
            atLeast(
                    "events/s " + where + ", " + contender.text() + " versus " + rival.text(),
                    ratio(cell, contender, rival, HttpTurn::recordsPerSec),
                    limit);
        }
    }

    private void latency() {
        p99(HttpContender.HTTP_ALO, HttpContender.SERVLET, 1.5);
        p99(HttpContender.HTTP_ALO_LATENCY, HttpContender.SERVLET, 1.5);
        p99(HttpContender.HTTP_EOS, HttpContender.SERVLET_TX, 1);
        p99(HttpContender.HTTP_EOS, HttpContender.ASYNC_TX_GROUP_W5, 1);
        p99(HttpContender.HTTP_EOS_LATENCY, HttpContender.ASYNC_TX_GROUP_W5, 1);
    }

    private void p99(HttpContender contender, HttpContender rival, double limit) {
        if (!isMeasured(Cell.THOUSAND, contender, rival)) {
            return;
        }
        double ours = standings.median(Cell.THOUSAND, contender, turn -> turn.latencyMs(99));
        double theirs = standings.median(Cell.THOUSAND, rival, turn -> turn.latencyMs(99));
        // One that does not carry the rate has a latency without end: no measure for one that does.
        if (Double.isInfinite(theirs) && !Double.isInfinite(ours)) {
            return;
        }
        double value = Double.isInfinite(ours) ? ours : ours / theirs;
        atMost("p99 at 1,000/s, " + contender.text() + " versus " + rival.text(), value, limit);
    }

    private void slowSockets() {
        for (HttpContender contender : standings.contenders(Cell.THOUSAND_AND_SLOW)) {
            if (contender.isOurs() && isMeasured(Cell.THOUSAND, contender)) {
                atMost(
                        "p99 at 1,000/s with 200 slow connections, part of that without, " + contender.text(),
                        standings.median(Cell.THOUSAND_AND_SLOW, contender, turn -> turn.latencyMs(99))
                                / standings.median(Cell.THOUSAND, contender, turn -> turn.latencyMs(99)),
                        2);
            }
        }
    }

    private void timeouts() {
        for (HttpContender contender : standings.contenders(Cell.HALF)) {
            if (contender.isOurs()) {
                atMost(
                        "answers 504 at half of saturation with a timeout of 100 ms, " + contender.text(),
                        sum(Cell.HALF, contender, turn -> turn.status(504)),
                        0);
            }
        }
    }

    private void overload() {
        Cell cell = Cell.BEYOND_SATURATION;
        for (HttpContender contender : standings.contenders(cell)) {
            atLeast(
                    "200s beyond saturation, part of saturation, " + contender.text(),
                    standings.median(cell, contender, HttpTurn::requestsPerSec) / standings.saturation(contender),
                    0.9);
            atMost(
                    "requests beyond saturation that got neither 200 nor 503, " + contender.text(),
                    sum(cell, contender, HttpGoals::neither),
                    0);
            atMost(
                    "p99 of 200s beyond saturation, part of the timeout, " + contender.text(),
                    standings.median(cell, contender, turn -> turn.sentLatencyMs(99)) / cell.timeoutMs(),
                    1);
        }
    }

    private static double neither(HttpTurn turn) {
        LoadFigures load = turn.load();
        return load.answered() + load.refused() + load.unknown() - turn.status(200) - turn.status(503);
    }

    private void keys() {
        keys(HttpContender.HTTP_EOS_KEYS, HttpContender.HTTP_EOS);
        keys(HttpContender.HTTP_ALO_KEYS, HttpContender.HTTP_ALO);
    }

    private void keys(HttpContender keyed, HttpContender plain) {
        for (Cell cell : List.of(Cell.SATURATION, Cell.FIVE_THOUSAND)) {
            if (isMeasured(cell, keyed, plain)) {
                atLeast(
                        "events/s with keys, part of those without, " + cell.text() + ", " + keyed.text(),
                        ratio(cell, keyed, plain, HttpTurn::recordsPerSec),
                        0.9);
            }
        }
    }

    /** Over all verified turns. Not a number without one. */
    private double sum(Cell cell, HttpContender contender, ToDoubleFunction<HttpTurn> figure) {
        List<HttpTurn> verified = standings.turns(cell, contender).stream()
                .filter(HttpTurn::verified)
                .toList();
        return verified.isEmpty() ? NONE : verified.stream().mapToDouble(figure).sum();
    }

    /** Every figure in which the connector is worse than one that it is compared with. */
    static List<String> losing(HttpStandings standings) {
        Map<String, ToDoubleFunction<HttpTurn>> figures = new LinkedHashMap<>();
        figures.put("p50 ms", turn -> turn.latencyMs(50));
        figures.put("p99 ms", turn -> turn.latencyMs(99));
        figures.put("CPU s/M", HttpTurn::cpuSecPerMillion);
        List<String> cases = new ArrayList<>();
        for (Cell cell : standings.cells()) {
            for (HttpContender ours : standings.contenders(cell)) {
                if (!ours.isOurs()) {
                    continue;
                }
                for (HttpContender rival : ours.rivals()) {
                    double perSec = standings.median(cell, ours, HttpTurn::recordsPerSec);
                    double theirs = standings.median(cell, rival, HttpTurn::recordsPerSec);
                    // At a rate all of them have about the same.
                    if (cell.load() == Cell.Load.CLOSED && perSec < theirs) {
                        cases.add(losing(cell, ours, "events/s", perSec, rival, theirs));
                    }
                    figures.forEach((name, figure) -> {
                        double our = standings.median(cell, ours, figure);
                        double their = standings.median(cell, rival, figure);
                        if (our > their) {
                            cases.add(losing(cell, ours, name, our, rival, their));
                        }
                    });
                }
            }
        }
        return cases;
    }

    private static String losing(
            Cell cell, HttpContender ours, String figure, double our, HttpContender rival, double their) {
        return String.format(
                Locale.ROOT,
                "%s, %s, %s: %,.1f versus %,.1f of %s",
                cell.text(),
                ours.text(),
                figure,
                our,
                their,
                rival.text());
    }
}
