package io.microbatch.bench.outbox;

import io.microbatch.bench.Comparison;
import io.microbatch.bench.Goal;
import io.microbatch.bench.QuickOrFull;
import io.microbatch.bench.Table;
import io.microbatch.bench.VerifyingCommand;
import io.microbatch.bench.outbox.OutboxRun.Size;
import io.microbatch.testbed.WorkDirectory;
import io.microbatch.testbed.oracle.Findings;
import java.io.IOException;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench outbox}: exits with 0 when every row of every contender was verified. */
@Command(
        name = "outbox",
        sortOptions = false,
        description = {
            "Rows of an outbox table in PostgreSQL to Kafka: upstream.type=outbox with one task (outbox-1) and four"
                    + " (outbox-4), relays that poll the table, and Debezium with its event router, plain and hosted.",
            "",
            "send-and-wait locks 100 rows with SKIP LOCKED, sends each and waits for it, deletes them and commits."
                    + " fire-flush-await-N sends N rows, flushes once and waits for each; x2 has two workers. Their"
                    + " producer is idempotent, with acks=all. Connectors run on an exactly-once worker, outbox-alo on"
                    + " an at-least-once worker. outbox-latency has batch.objective=latency. debezium-mid-i50-l50 has"
                    + " transaction.boundary=interval of 50 ms and a producer's linger.ms as long.",
            "",
            "Eight connections insert single rows with synchronous_commit=on, in rotated turns: a backlog that was"
                    + " written while the contender was stopped, then 50 and 1,000 rows/s. Latency is from when a row"
                    + " was due to a read_committed consumer. Every row is compared with what was committed. Figures"
                    + " are medians.",
            ""
        },
        footer = {"", "Exit codes: 0 verified, 1 not verified or failed, 2 wrong command line."})
public final class OutboxCommand extends VerifyingCommand {

    private static final String NUMBER = "%,.1f";
    private static final String WHOLE = "%,.0f";
    private static final Size QUICK = new Size(1_000, 100_000, 2, 4, 5);
    private static final Size FULL = new Size(2_000, 200_000, 3, 15, 20);
    private static final int QUICK_ROUNDS = 3;
    private static final int FULL_ROUNDS = 5;
    private static final int MAX_ROUNDS = 20;
    private static final int MAX_SECONDS = 600;
    private static final int MIN_BACKLOG = 100;
    private static final int MAX_BACKLOG = 10_000_000;

    private static final Table TABLE = new Table()
            .text(24, "", "name")
            .number(12, "backlog/s", OutboxTurn.BACKLOG, WHOLE)
            .number(10, "p50 50/s", OutboxTurn.P50_50, NUMBER)
            .number(10, "p99 50/s", OutboxTurn.P99_50, NUMBER)
            .number(10, "p50 1,000", OutboxTurn.P50_1000, NUMBER)
            .number(10, "p99 1,000", OutboxTurn.P99_1000, NUMBER)
            .number(14, "CPU s/M: DB", OutboxTurn.POSTGRES_CPU, NUMBER)
            .number(9, "carrier", OutboxTurn.CARRIER_CPU, NUMBER)
            .number(9, "broker", OutboxTurn.BROKER_CPU, NUMBER)
            .number(12, "DB 1,000/s", OutboxTurn.POSTGRES_CPU_1000, NUMBER)
            .number(11, "inversions", "inversions", WHOLE)
            .number(6, "lost", "lost", WHOLE)
            .number(11, "duplicated", "duplicated", WHOLE);

    @ArgGroup(multiplicity = "1")
    private QuickOrFull extent;

    @Option(
            names = "--contenders",
            paramLabel = "NAME",
            split = ",",
            description = "what is compared, separated by commas, instead of what the preset compares")
    private List<String> names;

    @Option(names = "--rounds", paramLabel = "N", description = "medians of this many rounds, 1 to " + MAX_ROUNDS)
    private Integer rounds;

    @Option(
            names = "--backlog",
            paramLabel = "ROWS",
            description = "the backlog of the fast contenders, " + MIN_BACKLOG + " to " + MAX_BACKLOG
                    + "; relays get a quarter to a hundredth of it")
    private Integer backlog;

    @Option(names = "--seconds", paramLabel = "N", description = "the measured part of each rate, 1 to " + MAX_SECONDS)
    private Integer seconds;

    private final OutboxStandings standings = new OutboxStandings();

    @Override
    protected Map<String, Object> measure() throws IOException {
        List<OutboxContender> all = List.of(OutboxContender.values());
        List<OutboxContender> contenders =
                names == null && extent.isQuick() ? OutboxContender.QUICK : chosen(names, all, OutboxContender::text);
        int last = rounds != null ? rounds : extent.isQuick() ? QUICK_ROUNDS : FULL_ROUNDS;
        checkNumbers(last);
        repeated(last);
        contenders.forEach(contender -> configured(contender.text(), contender.settings()));
        Size size = size();
        try (WorkDirectory work = WorkDirectory.createOnFreeDisk("microbatch-outbox");
                OutboxStack stack = new OutboxStack(work.path(), true)) {
            measuredOn(stack.bootstrapServers());
            OutboxRun run = new OutboxRun(stack, size);
            boolean isWhole = true;
            for (int round = 0; round <= last; round++) {
                for (OutboxContender contender : Comparison.order(contenders, round - 1)) {
                    isWhole &= turn(run, round, contender);
                }
                if (round == 0) {
                    say("warm-up finished: it counts for the check only");
                }
            }
            if (!isWhole) {
                keepLogs(work.path(), "outbox-logs");
            }
        } catch (SQLException e) {
            throw new IllegalStateException("PostgreSQL refused", e);
        }
        return result(size);
    }

    /** Round 0 is the warm-up: a whole turn, in which the processes start and their code is compiled. */
    private boolean turn(OutboxRun run, int round, OutboxContender contender) throws SQLException {
        OutboxTurn turn = run.turn(contender);
        Findings found = turn.found();
        boolean verified = note(OutboxTurn.isVerified(contender, found));
        say(String.format(
                Locale.ROOT,
                "%d %s: backlog %,.0f/s; p99 %.1f ms at 50/s, %.1f ms at 1,000/s; CPU s/M of the backlog: database"
                        + " %.1f, carrier %.1f, broker %.1f; %s%s",
                round,
                contender.text(),
                turn.backlogPerSec(),
                turn.at50().p99Ms(),
                turn.at1000().p99Ms(),
                turn.backlogCpu().postgres(),
                turn.backlogCpu().carrier(),
                turn.backlogCpu().broker(),
                found,
                verified ? "" : "  NOT VERIFIED"));
        if (round > 0) {
            standings.add(contender, turn);
        }
        return verified;
    }

    private Map<String, Object> result(Size size) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("writers", "8 connections, synchronous_commit=on");
        json.put("settle_s", size.settleSeconds());
        json.put("measured_s_50", size.slowSeconds());
        json.put("measured_s_1000", size.fastSeconds());
        List<Map<String, Object>> rows =
                standings.contenders().stream().map(standings::json).toList();
        json.put("contenders", rows);
        say("");
        say(TABLE.header());
        rows.forEach(row -> say(TABLE.row(row)));
        say("");
        say("Latency in ms from when a row was due. A dash at 1,000/s: the rate is not carried. CPU s/M: CPU seconds");
        say("per million rows of the backlog, of the database, of the worker or the relays' process (carrier), and of");
        say("the broker. DB 1,000/s: the database at that rate, with the inserts.");
        say("");
        List<Goal> goals = OutboxGoals.of(standings);
        goals.forEach(goal -> say("goal: " + goal.text()));
        json.put("goals", goals.stream().map(goal -> goal.toJson("ratio")).toList());
        Map<String, Double> relays = OutboxGoals.versusSendAndWait(standings);
        relays.forEach((name, ratio) ->
                say(String.format(Locale.ROOT, "%s: %.1f times the rate of send-and-wait", name, ratio)));
        json.put("backlog_ratio_to_send_and_wait", relays);
        List<String> losing = OutboxGoals.losing(standings);
        say("worse than another:" + (losing.isEmpty() ? " nothing" : ""));
        losing.forEach(line -> say("  " + line));
        json.put("losing", losing);
        return json;
    }

    private Size size() {
        Size usual = extent.isQuick() ? QUICK : FULL;
        return new Size(
                usual.warmUpRows(),
                backlog == null ? usual.backlogRows() : backlog,
                seconds == null ? usual.settleSeconds() : Math.min(seconds, usual.settleSeconds()),
                seconds == null ? usual.slowSeconds() : seconds,
                seconds == null ? usual.fastSeconds() : seconds);
    }

    private void checkNumbers(int last) {
        if (last < 1 || last > MAX_ROUNDS) {
            throw wrong("--rounds is 1 to " + MAX_ROUNDS);
        }
        if (backlog != null && (backlog < MIN_BACKLOG || backlog > MAX_BACKLOG)) {
            throw wrong("--backlog is " + MIN_BACKLOG + " to " + MAX_BACKLOG);
        }
        if (seconds != null && (seconds < 1 || seconds > MAX_SECONDS)) {
            throw wrong("--seconds is 1 to " + MAX_SECONDS);
        }
    }
}
