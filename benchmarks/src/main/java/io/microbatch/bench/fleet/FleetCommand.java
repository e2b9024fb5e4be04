package io.microbatch.bench.fleet;

import io.microbatch.bench.Comparison;
import io.microbatch.bench.QuickOrFull;
import io.microbatch.bench.VerifyingCommand;
import io.microbatch.bench.load.LoadStack;
import io.microbatch.testbed.WorkDirectory;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench fleet}: exits with 0 when every event of every connector was verified. */
@Command(
        name = "fleet",
        sortOptions = false,
        description = {
            "What many connectors with few events each cost on one exactly-once worker, when they work and when they"
                    + " are idle.",
            "",
            "5 to 50 events/s from each connector, nothing from every eighth. Connectors with Connect's"
                    + " transaction.boundary=interval of 100 ms, which return one event a poll or all they have, with"
                    + " the producer's default linger.ms and with one as long as the interval, versus the same"
                    + " connector hosted with latency.target.ms=100 and with the defaults, and versus this connector's"
                    + " generator. CPU of worker and broker, transactions, end-to-end latency, threads and heap for"
                    + " each task.",
            ""
        },
        footer = {"", "Exit codes: 0 verified, 1 not verified or failed, 2 wrong command line."})
public final class FleetCommand extends VerifyingCommand {

    private static final FleetPlan QUICK = new FleetPlan(40, 5, 20, 10);
    private static final FleetPlan FULL = new FleetPlan(40, 15, 60, 20);
    private static final int QUICK_ROUNDS = 2;
    private static final int FULL_ROUNDS = 3;
    private static final int MAX_CONNECTORS = 200;

    @ArgGroup(multiplicity = "1")
    private QuickOrFull extent;

    @Option(
            names = "--connectors",
            paramLabel = "N",
            description = "how many connectors there are, 1 to " + MAX_CONNECTORS + " (default 40)")
    private Integer connectors;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "how often each contender has its turn (default 2, with --full 3)")
    private Integer rounds;

    @Override
    protected Map<String, Object> measure() throws IOException {
        FleetPlan plan = plan();
        int times = rounds == null ? (extent.isQuick() ? QUICK_ROUNDS : FULL_ROUNDS) : rounds;
        if (times < 1) {
            throw wrong("--rounds must be at least 1");
        }
        repeated(times);
        FleetReport report = new FleetReport();
        Map<String, Object> json = new LinkedHashMap<>();
        try (WorkDirectory work = WorkDirectory.createOnFreeDisk("microbatch-fleet");
                LoadStack stack = LoadStack.start(work.path(), 1)) {
            measuredOn(stack.bootstrapServers());
            FleetRun run = new FleetRun(stack);
            // Each contender's classes are loaded, and its code is compiled, before the turns that count.
            for (FleetContender contender : FleetContender.values()) {
                turn(run, contender, plan.warmUp(), new FleetReport(), "warm-up");
            }
            json.put("connectors", plan.connectors());
            json.put("rates_per_s", plan.rates());
            json.put("warm_up_s", plan.warmUpSeconds());
            json.put("measured_s", plan.seconds());
            json.put("empty_worker_cores", run.measureEmpty(plan.idleSeconds()));
            for (int round = 0; round < times; round++) {
                for (FleetContender contender : Comparison.order(List.of(FleetContender.values()), round)) {
                    turn(run, contender, plan, report, (round + 1) + " of " + times);
                }
            }
        }
        json.put("contenders", report.contenders());
        json.put("goals", report.goals());
        json.put("losing", report.losing());
        print(report);
        return json;
    }

    private FleetPlan plan() {
        FleetPlan chosen = extent.isQuick() ? QUICK : FULL;
        int count = connectors == null ? chosen.connectors() : connectors;
        if (count < 1 || count > MAX_CONNECTORS) {
            throw wrong("--connectors must be 1 to " + MAX_CONNECTORS);
        }
        return new FleetPlan(count, chosen.warmUpSeconds(), chosen.seconds(), chosen.idleSeconds());
    }

    private void turn(FleetRun run, FleetContender contender, FleetPlan plan, FleetReport report, String which) {
        configured(contender.key(), contender.settings());
        FleetResult result = run.run(contender, plan);
        boolean verified = note(result.isVerified());
        say(which + ", " + contender.key() + ": " + (verified ? "" : "NOT VERIFIED: ") + result.text());
        if (verified) {
            report.add(contender, result);
        }
    }

    private void print(FleetReport report) {
        say("");
        report.table().forEach(this::say);
        say("");
        for (Map<String, Object> goal : report.goals()) {
            double value = ((Number) goal.get("value")).doubleValue();
            double limit = ((Number) goal.get("limit")).doubleValue();
            String missed = value <= limit ? "" : ", MISSED";
            say(String.format(Locale.ROOT, "goal: %s: %.2f, at most %.0f%s", goal.get("goal"), value, limit, missed));
        }
        say("");
        say("worse than the best plain contender:" + (report.losing().isEmpty() ? " nothing" : ""));
        report.losing().forEach(line -> say("  " + line));
        say("");
    }
}
