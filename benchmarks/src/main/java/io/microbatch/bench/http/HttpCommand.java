package io.microbatch.bench.http;

import io.microbatch.bench.Comparison;
import io.microbatch.bench.VerifyingCommand;
import io.microbatch.bench.http.HttpStack.Peer;
import io.microbatch.bench.http.LoadLoop.Times;
import io.microbatch.bench.http.Shape.Format;
import io.microbatch.testbed.WorkDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench http}: exits with 0 when every answer of every contender was true. */
@Command(
        name = "http",
        sortOptions = false,
        description = {
            "Events posted over HTTP: this connector under exactly-once (http-eos) and at-least-once (http-alo) versus"
                    + " a server with a thread for each request that sends and waits (servlet, and servlet-l5 with a"
                    + " linger of 5 ms), and one that commits a transaction for each request (servlet-tx) or for all"
                    + " that wait (servlet-tx-group, with a linger of 5 ms servlet-tx-group-l5, and if it also waits N"
                    + " ms for more requests servlet-tx-group-wN). In servers named async no thread waits for a"
                    + " request. With -p2 two producers commit.",
            "",
            "Each contender runs in a process of its own, on one broker, in rotated turns. Clients are one thread with"
                    + " 16 or 256 connections. After each turn every answer is compared with the topic: a 200 means"
                    + " that all records of the request are there, a refusal that none is. Latency begins when a"
                    + " request is due.",
            ""
        },
        footer = {"", "Exit codes: 0 verified, 1 not verified or failed, 2 wrong command line."})
public final class HttpCommand extends VerifyingCommand {

    private static final int MAX_SECONDS = 600;

    @ArgGroup(multiplicity = "1")
    private Extent extent;

    /** One of the three. */
    private static final class Extent {
        @Option(names = "--smoke", required = true, description = "two short loads: does it work?")
        private boolean smoke;

        @Option(names = "--quick", required = true, description = "the loads that have goals")
        private boolean quick;

        @Option(names = "--full", required = true, description = "these and other sizes, rates and timeouts")
        private boolean unusedFull; // what is neither is full

        private List<Cell> cells() {
            return smoke ? Cell.smoke() : quick ? Cell.quick() : Cell.full();
        }

        private Times times() {
            return smoke ? new Times(500, 1_000) : quick ? new Times(2_000, 5_000) : new Times(3_000, 10_000);
        }

        private long warmUpMs() {
            return smoke ? 500 : quick ? 8_000 : 40_000;
        }

        private int rounds() {
            return smoke ? 1 : quick ? 2 : 3;
        }
    }

    @Mixin
    private LoadOptions loads;

    @Option(names = "--keys", description = "the connector with an Idempotency-Key on each request versus without")
    private boolean keys;

    @Option(
            names = "--contenders",
            paramLabel = "NAME",
            split = ",",
            description = "http-eos, http-eos-keys, http-eos-latency, http-alo, http-alo-keys, http-alo-latency,"
                    + " servlet, servlet-l5, servlet-tx, servlet-tx-group, servlet-tx-group-l5,"
                    + " servlet-tx-group-w2, servlet-tx-group-w5, servlet-tx-group-w10, async, async-l5,"
                    + " async-tx-group, async-tx-group-w2, async-tx-group-w5, async-tx-group-w10,"
                    + " async-tx-group-w20, async-tx-group-w5-p2, peer")
    private List<String> names;

    @Option(
            names = "--cells",
            paramLabel = "NAME",
            split = ",",
            description = "only these loads of the preset, as results spell them; half and beyond need closed-256")
    private List<String> cellNames;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "a setting of the connector in addition, for all its contenders")
    private Map<String, String> connectorSettings = Map.of();

    @Option(names = "--rounds", paramLabel = "N", description = "how often each contender takes its turn, 1 to 20")
    private Integer rounds;

    @Option(names = "--seconds", paramLabel = "N", description = "the measured part of a turn, 1 to " + MAX_SECONDS)
    private Integer seconds;

    @Option(
            names = "--rest",
            description = "JSON bodies to /topics/TOPIC, as REST Proxy and Strimzi's bridge take them, instead of the"
                    + " values themselves to /events/TOPIC")
    private boolean rest;

    @Option(
            names = "--peer",
            paramLabel = "URL",
            description = "also a REST Proxy or a bridge that runs on this machine; needs --bootstrap-servers, sets"
                    + " --rest")
    private URI peer;

    @Option(names = "--peer-pid", paramLabel = "PID", defaultValue = "-1", description = "its process, for its CPU")
    private long peerPid;

    @Option(
            names = "--bootstrap-servers",
            paramLabel = "HOST:PORT",
            defaultValue = "",
            description = "the brokers of --peer, on this machine, instead of a broker of the bench's own; their CPU is"
                    + " not measured")
    private String bootstrapServers;

    private final HttpStandings standings = new HttpStandings();

    @Override
    protected Map<String, Object> measure() throws IOException {
        List<HttpContender> contenders = contenders();
        List<Cell> cells = cells();
        checkNumbers(cells);
        Format format = rest || peer != null ? Format.REST : Format.EVENTS;
        Map<String, Object> json = new LinkedHashMap<>();
        try (WorkDirectory work = WorkDirectory.createOnFreeDisk("microbatch-http");
                HttpStack stack = new HttpStack(
                        work.path(), new Peer(peer, peerPid, bootstrapServers), List.of(), connectorSettings)) {
            measuredOn(stack.bootstrapServers());
            describe(json, format);
            boolean isWhole = measure(new HttpRun(stack, format), contenders, cells);
            if (!note(isWhole)) {
                keepLogs(work.path(), "http-logs");
            }
        }
        json.put("contenders", HttpReport.contenders(standings));
        // Cold processes in a second or two meet no goal, and miss none.
        if (!extent.smoke) {
            HttpReport.printGoals(standings, out());
            json.putAll(HttpReport.goals(standings));
        }
        return json;
    }

    private void describe(Map<String, Object> json, Format format) {
        json.put("body", format == Format.REST ? "rest" : "events");
        json.put("rounds", times());
        json.put("warm_up_ms", extent.warmUpMs());
        json.put("settle_ms", length().settleMs());
        json.put("measured_ms", length().measuredMs());
        json.put("cpu_of", bootstrapServers.isEmpty() ? "contender and broker" : "contender");
    }

    private List<Cell> cells() {
        List<Cell> preset = keys ? Cell.keys() : extent.cells();
        if (!loads.isGiven()) {
            return chosen(cellNames, preset, Cell::text);
        }
        if (cellNames != null) {
            throw wrong("--cells is for the loads of the preset");
        }
        return loads.cells(this::wrong);
    }

    private Map<String, String> settings(HttpContender contender) {
        Map<String, String> settings = new LinkedHashMap<>(contender.settings());
        if (contender.isOurs()) {
            settings.putAll(connectorSettings);
        }
        return settings;
    }

    /** Whether all turns were verified. */
    private boolean measure(HttpRun run, List<HttpContender> contenders, List<Cell> cells) {
        boolean verified = true;
        for (HttpContender contender : contenders) {
            configured(contender.text(), settings(contender));
            // Its process starts, its classes are loaded and its code is compiled, before the turns that count.
            // A process has the same warm-up, however many contenders share it.
            Times warmUp = new Times(0, extent.warmUpMs() / contender.sharing(contenders));
            verified &= turn(run, contender, cells.get(0).warmUp(), 0, warmUp, "warm-up")
                    .verified();
        }
        for (Cell cell : cells) {
            for (int round = 0; round < times(); round++) {
                for (HttpContender contender : Comparison.order(contenders, round)) {
                    double saturation = standings.saturation(contender);
                    if (!cell.isFor(contender) || (cell.needsSaturation() && Double.isNaN(saturation))) {
                        continue;
                    }
                    String when = (round + 1) + " of " + times() + ", " + cell.text();
                    HttpTurn turn = turn(run, contender, cell, cell.perSec(saturation), length(), when);
                    verified &= turn.verified();
                    standings.add(cell, contender, turn);
                }
            }
            HttpReport.print(standings, cell, out());
        }
        return verified;
    }

    private HttpTurn turn(HttpRun run, HttpContender contender, Cell cell, double perSec, Times length, String when) {
        HttpTurn turn = run.turn(contender, cell, perSec, length);
        boolean verified = note(turn.verified());
        say(String.format(
                Locale.ROOT,
                "%s, %s: %s%s",
                when,
                contender.text(),
                verified ? "" : "NOT VERIFIED: " + turn.problem() + " ",
                turn.load() == null ? "" : text(turn)));
        return turn;
    }

    private static String text(HttpTurn turn) {
        return String.format(
                Locale.ROOT,
                "%,.0f/s, p50 %.1f ms, p99 %.1f ms, CPU %.1f s/M; %s; %s",
                turn.recordsPerSec(),
                turn.latencyMs(50),
                turn.latencyMs(99),
                turn.cpuSecPerMillion(),
                turn.load().statuses(),
                turn.found());
    }

    private List<HttpContender> contenders() {
        List<HttpContender> usual = new ArrayList<>(keys ? HttpContender.WITH_KEYS : HttpContender.USUAL);
        if (peer != null) {
            usual.add(HttpContender.PEER);
        }
        List<HttpContender> wanted =
                names == null ? usual : chosen(names, List.of(HttpContender.values()), HttpContender::text);
        if (wanted.contains(HttpContender.PEER) != (peer != null)) {
            throw wrong("the contender peer needs --peer, and --peer the contender");
        }
        return wanted;
    }

    private int times() {
        return rounds == null ? extent.rounds() : rounds;
    }

    private Times length() {
        Times usual = extent.times();
        return seconds == null ? usual : new Times(usual.settleMs(), seconds * 1_000L);
    }

    private void checkNumbers(List<Cell> cells) {
        if (times() < 1 || times() > 20) {
            throw wrong("--rounds is 1 to 20");
        }
        if (seconds != null && (seconds < 1 || seconds > MAX_SECONDS)) {
            throw wrong("--seconds is 1 to " + MAX_SECONDS);
        }
        if (peer != null && (bootstrapServers.isEmpty() || !isLocal(peer))) {
            throw wrong("--peer needs a URL with host and port of this machine, and --bootstrap-servers");
        }
        if (!bootstrapServers.isEmpty()
                && !isLocal(URI.create("kafka://" + bootstrapServers.split(",", 2)[0]))) {
            throw wrong("--bootstrap-servers are on this machine");
        }
        if (cells.isEmpty()) {
            throw wrong("no load");
        }
    }

    private static boolean isLocal(URI server) {
        try {
            return server.getHost() != null
                    && server.getPort() > 0
                    && InetAddress.getByName(server.getHost()).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
