package io.microbatch.bench.advise;

import io.microbatch.bench.QuickOrFull;
import io.microbatch.bench.VerifyingCommand;
import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench advise}: exits with 0 when a worker gave its advice, or when every event was verified. */
@Command(
        name = "advise",
        sortOptions = false,
        description = {
            "With --rest: what to change at each source task of a Connect cluster, if anything, with the numbers behind"
                    + " it and the body of the request. It changes nothing. A worker of the cluster needs"
                    + " rest.extension.classes=io.microbatch.connect.console.ConsoleExtension. Where it wants a header"
                    + " Authorization, the variable CONNECT_AUTHORIZATION of the environment holds it.",
            "",
            "With --verify: takes the advice for streams of its own, applies it, and compares what was predicted with"
                    + " what came of it, and with other settings on the same stream. Regret is 1 where no other setting"
                    + " is better. Where both keep the p99 that was asked for, it compares the processor time of worker"
                    + " and brokers beyond a twentieth of a core.",
            ""
        },
        footer = {"", "Exit codes: 0 advised or verified, 1 not advised, not verified or failed, 2 wrong command line."
        })
public final class AdviseCommand extends VerifyingCommand {

    @ArgGroup(multiplicity = "1")
    private Way way;

    /** One of two. */
    private static final class Way {

        @ArgGroup(exclusive = false)
        private Ask ask;

        @ArgGroup(exclusive = false)
        private Check check;
    }

    /** Asks a cluster that runs. */
    private static final class Ask {

        @Option(names = "--rest", required = true, paramLabel = "URL", description = "the REST interface of any worker")
        private URI rest;

        @Option(
                names = "--p99",
                paramLabel = "MS",
                defaultValue = "100",
                description = "the p99 in the worker that is accepted; default ${DEFAULT-VALUE}")
        private double goalMs;
    }

    /** Measures the advice. */
    private static final class Check {

        @Option(names = "--verify", required = true, description = "measure the advice on streams of its own")
        private boolean unusedVerify; // the group is there, or not

        @ArgGroup(multiplicity = "1")
        private QuickOrFull extent;

        @Option(names = "--streams", paramLabel = "TEXT", description = "only streams with this text in their names")
        private String only;
    }

    @Override
    public Integer call() throws IOException {
        return way.ask == null ? super.call() : ask();
    }

    private int ask() {
        try {
            return io.microbatch.connect.console.AdviseCommand.run(way.ask.rest, way.ask.goalMs, System.out) ? 0 : 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    @Override
    protected Map<String, Object> measure() throws IOException {
        boolean quick = way.check.extent.isQuick();
        List<AdvisedStream> streams = AdvisedStream.all(quick).stream()
                .filter(stream -> way.check.only == null || stream.name().contains(way.check.only))
                .toList();
        if (streams.isEmpty()) {
            throw wrong("no stream has " + way.check.only + " in its name");
        }
        AdviceCheck check = new AdviceCheck(quick, this::say, this::measuredOn, this::note);
        repeated(check.rounds());
        List<AdvisedCase> cases = check.run(streams);
        AdviceReport.lines(cases).forEach(this::say);
        Map<String, Object> json = new LinkedHashMap<>(AdviceReport.json(cases));
        json.put("problems", check.problems());
        return json;
    }
}
