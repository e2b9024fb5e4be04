package io.microbatch.bench.producer;

import io.microbatch.bench.Table;
import io.microbatch.bench.VerifyingCommand;
import io.microbatch.bench.load.LoadStack;
import io.microbatch.bench.load.Medians;
import io.microbatch.bench.producer.SendRun.Sent;
import io.microbatch.testbed.WorkDirectory;
import io.microbatch.testbed.oracle.Findings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench baseline}: exits with 0 when every event of every mode was read back. */
@Command(
        name = "baseline",
        sortOptions = false,
        description = {
            "What a producer alone moves, without Connect: one send and one acknowledgement, send-flush-await by 10, 50"
                    + " and 100, records of 1,000 events (bulk) and of 10,000 (mega).",
            "",
            "Each with acks 0, 1, all and with transactions, on one broker, 100-byte events, lz4. Three throughputs,"
                    + " not to be mixed: 'send' until the last send returned, 'sustained' until the last"
                    + " acknowledgement, 'transactional' until the last commit. Every event is read back and checked.",
            ""
        },
        footer = {"", "Exit codes: 0 verified, 1 not verified or failed, 2 wrong command line."})
public final class BaselineCommand extends VerifyingCommand {

    private static final Table TABLE = new Table()
            .text(22, "mode", "name")
            .text(15, "acks", "acks")
            .text(14, "payload", "payload")
            .number(14, "send/s", "send_per_s", "%,.0f")
            .number(14, "sustained/s", "sustained_per_s", "%,.0f")
            .number(14, "transact./s", "transactional_per_s", "%,.0f")
            .number(28, "lost, duplicated, reordered", "found", "%s");

    @ArgGroup(multiplicity = "1")
    private Preset preset;

    /** One of the three. */
    private static final class Preset {
        @Option(names = "--smoke", required = true, description = "5 s of sending, random payload only: does it work?")
        private boolean smoke;

        @Option(names = "--quick", required = true, description = "15 s of sending")
        private boolean quick;

        @Option(names = "--thorough", required = true, description = "5 min of sending, medians of three rounds")
        private boolean thorough;

        private int rounds() {
            return thorough ? 3 : 1;
        }

        private long durationMs() {
            return smoke ? 200 : quick ? 300 : 2_000;
        }

        private int mostEvents() {
            return thorough ? 10_000_000 : 2_000_000;
        }

        private List<Payload.Kind> payloads() {
            return smoke ? List.of(Payload.Kind.RANDOM) : List.of(Payload.Kind.values());
        }
    }

    @Option(names = "--pre-clean", description = "first remove the working directories of benchmarks that were killed")
    private boolean preClean;

    private int runs;

    /** One combination. */
    private record Cell(SendMode mode, Guarantee guarantee, Payload.Kind payload) {}

    @Override
    protected Map<String, Object> measure() throws IOException {
        if (preClean) {
            say("removed " + WorkDirectory.removeLeftOvers() + " directories that killed runs had left");
        }
        List<Map<String, Object>> modes = new ArrayList<>();
        try (WorkDirectory work = WorkDirectory.createOnFreeDisk("microbatch-baseline")) {
            try (LoadStack stack = LoadStack.start(work.path(), 1)) {
                measuredOn(stack.bootstrapServers());
                warmUp(stack);
                say(TABLE.header());
                Map<Cell, List<Sent>> measured = new LinkedHashMap<>();
                for (int round = 0; round < preset.rounds(); round++) {
                    for (Cell cell : cells()) {
                        measured.computeIfAbsent(cell, c -> new ArrayList<>())
                                .add(run(stack, cell, preset.durationMs()));
                    }
                }
                measured.forEach((cell, sent) -> modes.add(json(cell, sent)));
            }
        }
        return Map.of("modes", modes);
    }

    private List<Cell> cells() {
        List<Cell> cells = new ArrayList<>();
        for (Payload.Kind payload : preset.payloads()) {
            for (Guarantee guarantee : Guarantee.values()) {
                for (SendMode mode : SendMode.values()) {
                    cells.add(new Cell(mode, guarantee, payload));
                }
            }
        }
        return cells;
    }

    private void warmUp(LoadStack stack) {
        if (!preset.smoke) {
            for (SendMode mode : List.of(SendMode.FIRE_FLUSH_AWAIT_100, SendMode.BULK)) {
                Sent ignored = run(stack, new Cell(mode, Guarantee.TRANSACTIONAL, Payload.Kind.RANDOM), 1_000);
            }
            say("warm-up finished: it counts for the check only");
        }
    }

    private Sent run(LoadStack stack, Cell cell, long durationMs) {
        String topic = "baseline-" + runs++;
        stack.topics().create(List.of(topic), 1);
        try {
            Sent sent = new SendRun(topic, cell.mode(), cell.guarantee(), new Payload(cell.payload()))
                    .send(stack.bootstrapServers(), durationMs, preset.mostEvents());
            Findings found = ReadBack.check(stack.bootstrapServers(), topic, (int) sent.events());
            boolean verified = note(found.isExactlyOnce());
            Map<String, Object> row = json(cell, List.of(sent));
            row.put("found", found.lost() + ", " + found.duplicated() + ", " + found.reordered());
            say(TABLE.row(row) + (verified ? "" : "  NOT VERIFIED"));
            return sent;
        } finally {
            stack.topics().delete(List.of(topic));
        }
    }

    private static double perSec(Sent sent, ToDoubleFunction<Sent> nanos) {
        return sent.events() * 1e9 / Math.max(1, nanos.applyAsDouble(sent));
    }

    private static Map<String, Object> json(Cell cell, List<Sent> sent) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", cell.mode().text());
        json.put("acks", cell.guarantee().text());
        json.put("payload", cell.payload().text());
        json.put("send_per_s", median(sent, Sent::sendNanos));
        json.put("sustained_per_s", median(sent, Sent::sustainedNanos));
        if (cell.guarantee().isTransactional()) {
            json.put("transactional_per_s", median(sent, Sent::transactionalNanos));
        }
        if (sent.size() > 1) {
            Map<String, Object> eachRound = new LinkedHashMap<>();
            eachRound.put("send_per_s", each(sent, Sent::sendNanos));
            eachRound.put("sustained_per_s", each(sent, Sent::sustainedNanos));
            if (cell.guarantee().isTransactional()) {
                eachRound.put("transactional_per_s", each(sent, Sent::transactionalNanos));
            }
            json.put("each_round", eachRound);
        }
        return json;
    }

    private static List<Double> each(List<Sent> sent, ToDoubleFunction<Sent> nanos) {
        return sent.stream().map(each -> perSec(each, nanos)).toList();
    }

    private static long median(List<Sent> sent, ToDoubleFunction<Sent> nanos) {
        return Math.round(Medians.of(each(sent, nanos)));
    }
}
