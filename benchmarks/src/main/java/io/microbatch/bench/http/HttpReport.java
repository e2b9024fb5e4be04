package io.microbatch.bench.http;

import io.microbatch.bench.Table;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Prints what was measured, and makes the JSON of it. Stateless. */
final class HttpReport {

    private static final String MS = "%,.1f";
    private static final String WHOLE = "%,.0f";

    private static final Table TABLE = new Table()
            .text(16, "contender", "name")
            .number(12, "events/s", "per_s", WHOLE)
            .number(12, "min", "per_s_min", WHOLE)
            .number(12, "max", "per_s_max", WHOLE)
            .number(10, "p50 ms", "p50_ms", MS)
            .number(10, "p99 ms", "p99_ms", MS)
            .number(10, "CPU s/M", "cpu_s_per_million", MS)
            .number(10, "client", "cpu_client_s_per_million", MS)
            .number(10, "answered", "answered", WHOLE)
            .number(9, "refused", "refused", WHOLE)
            .number(9, "unknown", "unknown", WHOLE)
            .text(1, "", "remark");

    private HttpReport() {}

    /** A cell's table. */
    static void print(HttpStandings standings, Cell cell, PrintWriter out) {
        out.println();
        out.println(cell.text() + ": " + describe(cell));
        out.println(TABLE.header());
        for (HttpContender contender : standings.contenders(cell)) {
            Map<String, Object> row = new LinkedHashMap<>(row(standings, cell, contender));
            List<Double> spread = standings.spread(cell, contender, HttpTurn::recordsPerSec);
            if (!spread.isEmpty()) {
                row.put("per_s_min", spread.get(0));
                row.put("per_s_max", spread.get(1));
            }
            row.put("remark", remark(standings.turns(cell, contender)));
            out.println(TABLE.row(row));
        }
        out.println();
        out.flush();
    }

    private static String describe(Cell cell) {
        String load = switch (cell.load()) {
            case CLOSED -> "closed loop";
            case RATE -> cell.perSec() + " requests/s";
            case HALF -> "half of the contender's own saturation";
            case BEYOND -> "one and a half times the contender's own saturation";
        };
        return load + ", " + cell.clients() + " connections, " + cell.records()
                + (cell.records() == 1 ? " record" : " records") + " of " + cell.bytes() + " bytes a request, timeout "
                + cell.timeoutMs() + " ms" + (cell.slow() == 0 ? "" : ", with " + cell.slow() + " slow connections");
    }

    private static String remark(List<HttpTurn> turns) {
        if (turns.stream().anyMatch(turn -> !turn.verified())) {
            return "  NOT VERIFIED";
        }
        long carried = turns.stream().filter(HttpTurn::isCarried).count();
        return carried == turns.size() ? "" : "  carried in " + carried + " of " + turns.size() + " rounds";
    }

    /** A row for each cell and contender. */
    static List<Object> contenders(HttpStandings standings) {
        List<Object> contenders = new ArrayList<>();
        for (Cell cell : standings.cells()) {
            for (HttpContender contender : standings.contenders(cell)) {
                contenders.add(row(standings, cell, contender));
            }
        }
        return contenders;
    }

    /** {@code goals} and {@code losing}. */
    static Map<String, Object> goals(HttpStandings standings) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put(
                "goals",
                HttpGoals.of(standings).stream()
                        .map(goal -> goal.toJson("value"))
                        .toList());
        json.put("losing", HttpGoals.losing(standings));
        return json;
    }

    /** The goals, and where another is better. */
    static void printGoals(HttpStandings standings, PrintWriter out) {
        HttpGoals.of(standings).forEach(goal -> out.println("goal: " + goal.text()));
        List<String> losing = HttpGoals.losing(standings);
        out.println();
        out.println("worse than another:" + (losing.isEmpty() ? " nothing" : ""));
        losing.forEach(line -> out.println("  " + line));
        out.println();
        out.flush();
    }

    private static Map<String, Object> row(HttpStandings standings, Cell cell, HttpContender contender) {
        List<HttpTurn> turns = standings.turns(cell, contender);
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("name", contender.text());
        row.put(
                "mode",
                contender == HttpContender.PEER
                        ? "unknown"
                        : contender.delivery().text());
        row.put("cell", cell.text());
        row.put("load", describe(cell));
        row.put("clients", cell.clients());
        row.put("bytes", cell.bytes());
        row.put("records", cell.records());
        row.put("timeout_ms", cell.timeoutMs());
        row.put("slow_connections", cell.slow());
        row.put("verified", turns.stream().allMatch(HttpTurn::verified));
        Map<String, Object> spread = new LinkedHashMap<>();
        figures().forEach((name, figure) -> {
            row.put(name, HttpTurn.number(standings.median(cell, contender, figure)));
            List<Double> ends = standings.spread(cell, contender, figure).stream()
                    .map(HttpTurn::number)
                    .toList();
            spread.put(name, ends);
        });
        row.put("spread", spread);
        row.put("each_round", turns.stream().map(HttpTurn::toJson).toList());
        return row;
    }

    private static Map<String, ToDoubleFunction<HttpTurn>> figures() {
        Map<String, ToDoubleFunction<HttpTurn>> figures = new LinkedHashMap<>();
        figures.put("per_s", HttpTurn::recordsPerSec);
        figures.put("p50_ms", turn -> turn.latencyMs(50));
        figures.put("p95_ms", turn -> turn.latencyMs(95));
        figures.put("p99_ms", turn -> turn.latencyMs(99));
        figures.put("p99_sent_ms", turn -> turn.sentLatencyMs(99));
        figures.put("cpu_s_per_million", HttpTurn::cpuSecPerMillion);
        figures.put("cpu_client_s_per_million", HttpTurn::clientCpuSecPerMillion);
        figures.put("answered", turn -> turn.load().answered());
        figures.put("refused", turn -> turn.load().refused());
        figures.put("unknown", turn -> turn.load().unknown());
        return figures;
    }
}
