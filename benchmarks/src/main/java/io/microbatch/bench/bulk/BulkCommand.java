package io.microbatch.bench.bulk;

import io.microbatch.bench.Comparison;
import io.microbatch.bench.QuickOrFull;
import io.microbatch.bench.VerifyingCommand;
import io.microbatch.bench.load.LoadStack;
import io.microbatch.bench.producer.Payload;
import io.microbatch.testbed.WorkDirectory;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench bulk}: exits with 0 when every event of every contender was verified. */
@Command(
        name = "bulk",
        sortOptions = false,
        description = {
            "What bulk records move through an exactly-once worker, versus a transactional producer that sends"
                    + " records of 1,000 events (bulk) and of 10,000 (mega), and versus the same connector with a"
                    + " record for each event.",
            "",
            "64-byte events, lz4, acks=all, one broker, one topic partition, the same producer settings for all, in"
                    + " turns. The figure is events per second up to the last commit, of a producer from its first"
                    + " send, of a worker from its first commit. Every record is then read back, unpacked and every"
                    + " event checked. --quick is three rounds, some four minutes a payload, --full seven rounds of"
                    + " twice the events.",
            ""
        },
        footer = {"", "Exit codes: 0 verified, 1 not verified or failed, 2 wrong command line."})
public final class BulkCommand extends VerifyingCommand {

    /** Rounds until broker, worker and this process have compiled what they run. */
    private static final int WARM_UP_ROUNDS = 3;

    @ArgGroup(multiplicity = "1")
    private QuickOrFull extent;

    @Option(names = "--payload", description = "only this one: ${COMPLETION-CANDIDATES}")
    private Payload.Kind only;

    @Option(names = "--contenders", split = ",", description = "only these: ${COMPLETION-CANDIDATES}")
    private List<BulkContender> contenders = List.of(BulkContender.values());

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "a setting for the connector with bulk records")
    private Map<String, String> settings = Map.of();

    @Override
    protected Map<String, Object> measure() throws IOException {
        Map<String, Object> json = new LinkedHashMap<>();
        List<Payload.Kind> payloads = only == null ? List.of(Payload.Kind.values()) : List.of(only);
        try (WorkDirectory work = WorkDirectory.createOnFreeDisk("microbatch-bulk")) {
            try (LoadStack stack = LoadStack.start(work.path(), 1)) {
                measuredOn(stack.bootstrapServers());
                for (Payload.Kind payload : payloads) {
                    Map<String, Object> figures = compare(stack, payload);
                    if (payload == payloads.get(0)) {
                        json.put("payload", payload.text());
                        json.put("event_bytes", BulkRun.EVENT_BYTES);
                        json.putAll(figures);
                    }
                    json.put(payload.text(), figures);
                }
            }
        }
        return json;
    }

    private Map<String, Object> compare(LoadStack stack, Payload.Kind payload) {
        BulkRun run = new BulkRun(stack, payload, settings);
        Comparison<BulkContender> comparison = new Comparison<>(contenders, BulkContender.ADAPTIVE_BULK);
        contenders.forEach(contender -> configured(Comparison.key(contender), run.settings(contender)));
        int rounds = extent.isQuick() ? 3 : 7;
        repeated(rounds);
        // The first ones count for nothing but the check.
        for (int round = 1 - WARM_UP_ROUNDS; round <= rounds; round++) {
            for (BulkContender contender : Comparison.order(contenders, round - 1)) {
                BulkRun.Result result = run.run(contender, contender.events(extent.isQuick()));
                say(String.format(
                        Locale.ROOT,
                        "%s, %s, %-16s %,12.0f events/s, %s",
                        payload.text(),
                        round > 0 ? "round " + round + " of " + rounds : "warming up  ",
                        Comparison.key(contender),
                        result.perSec(),
                        result.text()));
                if (note(result.isVerified()) && round > 0) {
                    comparison.add(contender, result.perSec());
                }
            }
        }
        return comparison.report(payload.text() + " payload", out());
    }
}
