package io.microbatch.bench.advise;

import com.fasterxml.jackson.databind.JsonNode;
import io.microbatch.bench.Comparison;
import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.LoadStack;
import io.microbatch.testbed.WorkDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Takes the console's advice for streams, applies it, and tries other settings on the same streams. One thread. */
final class AdviceCheck {

    private static final StreamRun.Lengths QUICK = new StreamRun.Lengths(3, 6, 5);
    private static final StreamRun.Lengths FULL = new StreamRun.Lengths(4, 14, 8);
    private static final StreamRun.Lengths WARM_UP = new StreamRun.Lengths(2, 3, 6);
    private static final int FULL_ROUNDS = 2;

    private final boolean quick;
    private final Consumer<String> out;
    private final Consumer<String> started;
    private final Predicate<Boolean> noted;
    private final List<String> problems = new ArrayList<>();
    private int runs;

    /**
     * Prepares.
     *
     * @param out gets lines of progress
     * @param started gets the address of the first brokers
     * @param noted gets whether a stream was verified, while its servers run
     */
    AdviceCheck(boolean quick, Consumer<String> out, Consumer<String> started, Predicate<Boolean> noted) {
        this.quick = quick;
        this.out = out;
        this.started = started;
        this.noted = noted;
    }

    /** How often each setting is measured. */
    int rounds() {
        return quick ? 1 : FULL_ROUNDS;
    }

    /** What was not as promised. Empty if every event of every stream was. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    /** Carries out all streams. A stream that is not verified has no case. */
    List<AdvisedCase> run(List<AdvisedStream> streams) {
        List<AdvisedCase> cases = new ArrayList<>();
        for (Place place : Place.values()) {
            List<AdvisedStream> here =
                    streams.stream().filter(each -> each.place() == place).toList();
            if (!here.isEmpty()) {
                out.accept("");
                out.accept(place.text());
                cases.addAll(run(place, here));
            }
        }
        return cases;
    }

    private List<AdvisedCase> run(Place place, List<AdvisedStream> streams) {
        List<AdvisedCase> cases = new ArrayList<>();
        Delivery warm = null;
        try (WorkDirectory work = WorkDirectory.createOnFreeDisk("microbatch-advise");
                LoadStack stack = place.start(work.path())) {
            if (runs == 0) {
                started.accept(stack.bootstrapServers());
            }
            for (AdvisedStream stream : streams) {
                try {
                    if (stream.delivery() != warm) {
                        warmUp(stack, stream);
                        warm = stream.delivery();
                    }
                    advise(stack, stream).ifPresent(cases::add);
                } catch (RuntimeException e) {
                    // What was measured until then is worth more than nothing. It says that it is not all.
                    boolean ignored = note(stream.name(), e.toString());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return cases;
    }

    private String name() {
        return "advise-" + runs++;
    }

    /** A worker's first events and transactions take several times as long as later ones. */
    private void warmUp(LoadStack stack, AdvisedStream stream) {
        try (StreamRun run = new StreamRun(stack, stream, WARM_UP, name())) {
            for (AdvisedStream.Setting setting : stream.tried(true, Map.of())) {
                Outcome ignored = run.measure(run.config(setting));
            }
            boolean verified = note("warm-up", run.end());
            out.accept("  warmed up" + (verified ? "" : ", not verified"));
        }
    }

    private boolean note(String stream, String problem) {
        if (!problem.isEmpty()) {
            problems.add(stream + ": " + problem);
            out.accept("  NOT VERIFIED: " + problem);
        }
        return noted.test(problem.isEmpty());
    }

    /** Empty if an event of the stream was not as promised: such a stream has no figures. */
    private Optional<AdvisedCase> advise(LoadStack stack, AdvisedStream stream) {
        out.accept("  " + stream.name() + ", goal " + stream.goalMs() + " ms");
        try (StreamRun run = new StreamRun(stack, stream, quick ? QUICK : FULL, name())) {
            Map<String, String> before = run.config(stream.before());
            Map<String, List<Outcome>> outcomes = new LinkedHashMap<>();
            measure(run, AdvisedCase.BEFORE, before, outcomes);
            JsonNode advice = run.advice();
            out.accept("    " + advice.path("verdict").asText() + ": "
                    + advice.path("summary").asText());
            Map<String, Map<String, String>> configs = configs(run, stream, before, advice);
            for (int round = 0; round < rounds(); round++) {
                List<String> names = new ArrayList<>(configs.keySet());
                if (round > 0) {
                    names.add(AdvisedCase.BEFORE);
                }
                // With one round each stream has another order, so that none always follows the setting before it.
                for (String each : Comparison.order(names, runs + round)) {
                    measure(run, each, configs.getOrDefault(each, before), outcomes);
                }
            }
            if (!note(stream.name(), run.end())) {
                return Optional.empty();
            }
            Map<String, Outcome> medians = new LinkedHashMap<>();
            outcomes.forEach((name, each) -> medians.put(name, Outcome.median(each)));
            Outcome first = medians.remove(AdvisedCase.BEFORE);
            Outcome after = medians.remove(AdvisedCase.ADVISED);
            return Optional.of(new AdvisedCase(stream, advice, first, after == null ? first : after, medians));
        }
    }

    /** What is measured after the advice. What was measured before, or is the advice, is not tried again. */
    private Map<String, Map<String, String>> configs(
            StreamRun run, AdvisedStream stream, Map<String, String> before, JsonNode advice) {
        Map<String, Map<String, String>> configs = new LinkedHashMap<>();
        if (!StreamRun.isNone(advice.path("change"))) {
            Map<String, String> put = new LinkedHashMap<>();
            JsonNode body = advice.path("change").path("put");
            body.properties()
                    .forEach(each -> put.put(each.getKey(), each.getValue().asText()));
            configs.put(AdvisedCase.ADVISED, run.completed(put));
        }
        Map<String, String> advised = configs.getOrDefault(AdvisedCase.ADVISED, before);
        for (AdvisedStream.Setting setting : stream.tried(quick, advised)) {
            Map<String, String> config = run.config(setting);
            if (!config.equals(before) && !configs.containsValue(config)) {
                configs.put(setting.name(), config);
            }
        }
        return configs;
    }

    private void measure(StreamRun run, String name, Map<String, String> config, Map<String, List<Outcome>> outcomes) {
        Outcome outcome = run.measure(config);
        boolean ignored =
                outcomes.computeIfAbsent(name, each -> new ArrayList<>()).add(outcome);
        String figures = String.format(
                Locale.ROOT,
                "p50 %,.1f ms, p99 %,.1f ms, %,.1f transactions/s, %.2f cores",
                outcome.p50Ms(),
                outcome.p99Ms(),
                outcome.tps(),
                outcome.cores());
        out.accept(String.format(Locale.ROOT, "    %-28s %s", name, outcome.carried() ? figures : "not carried"));
    }
}
