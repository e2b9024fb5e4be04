package io.microbatch.bench.scenario;

import io.microbatch.bench.Comparison;
import io.microbatch.bench.VerifyingCommand;
import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.LoadResult;
import io.microbatch.bench.load.LoadRun;
import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.LoadStack;
import io.microbatch.bench.load.Settings;
import io.microbatch.bench.load.Window;
import io.microbatch.bench.profile.Driver;
import io.microbatch.bench.profile.ProfileException;
import io.microbatch.bench.profile.Workload;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.WorkDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import picocli.CommandLine.Mixin;

/**
 * What all scenarios have in common: for every driver and every situation the contenders take turns, round after round.
 * Every event of every run is checked against what the driver promises. One thread.
 */
abstract class Scenario extends VerifyingCommand {

    static final String FOOTER = "Exit codes: 0 verified, 1 not verified or failed, 2 wrong command line."
            + " Verified means as the driver promises: with acks=0 events may be lost, and are counted.";

    /** What one event a transaction manages in seconds. */
    private static final int FEW_EVENTS = 300;

    /** What a source without buffers makes in a poll at most: more would not fit into the worker's heap. */
    private static final int POLL_BYTES = 16_000_000;

    private static final String WARM_UP = "warm-up";
    private static final int SMOKE_EVENTS = 50;
    private static final int WARM_UP_EVENTS = 1_000_000;

    /** At a delay of 400 ms a worker's own producer settings carried 84 of 100 events of a diskless run in 90 s. */
    private static final int SATURATED_LIMIT_SECONDS = 240;

    @Mixin
    private ScenarioOptions options;

    private final String name;
    private final String rowsKey;
    private int runs;
    private LoadStack stack;

    /** A run, and the figures that the scenario derives from it. Immutable. */
    record Measured(LoadResult result, Map<Figure, Double> figures) {}

    /**
     * A scenario.
     *
     * @param name as its workload, its topics and its results are called
     * @param rowsKey what its result calls the rows
     */
    Scenario(String name, String rowsKey) {
        this.name = name;
        this.rowsKey = rowsKey;
    }

    /** What is compared, in order. */
    protected List<Contender> contenders() {
        return List.of(
                Contender.NAIVE,
                Contender.INTERVAL_50_LINGER_50,
                Contender.UNBUFFERED,
                Contender.UNBUFFERED_INTERVAL_50,
                Contender.FIXED,
                Contender.ADAPTIVE);
    }

    /** The rows of the result, for each driver. */
    protected abstract List<Situation> situations(Workload workload);

    /** Those drivers that the scenario takes by itself. */
    protected List<String> drivers() {
        return List.of("durable", "tuned");
    }

    /** How often each situation is measured unless asked for otherwise. */
    protected int defaultRounds() {
        return 2;
    }

    /** Settings that the scenario gives to all contenders. */
    protected Map<String, String> common() {
        return Map.of();
    }

    /** Before the runs of a situation. Null when a worker is to become warm. */
    protected void enter(Situation situation) {
        // Most have nothing to arrange.
    }

    /** Starts the brokers that the runs use. */
    protected LoadStack start(Path work) {
        return LoadStack.start(work, 1);
    }

    /** How many events a contender gets that pays a transaction for each: what takes seconds. */
    protected int fewEvents() {
        return FEW_EVENTS;
    }

    /** Whether a contender of the driver's mode is measured in a situation. */
    protected boolean takesPart(Driver driver, Situation situation, Contender contender) {
        return true;
    }

    /** What else a result says of all its rows. Asked for when they are measured. */
    protected Map<String, Object> notes() {
        return Map.of();
    }

    /**
     * What a new consumer group shows that reads what a run has written, when the run is over. None where it is the run
     * alone that is measured.
     */
    protected Map<Figure, Double> readAgain(LoadSpec spec) {
        return Map.of();
    }

    /** One run: at the situation's rate, or as fast as it goes. */
    protected Measured run(Driver driver, Situation situation, Contender contender) {
        return situation.ratePerSec() == 0
                ? saturated(driver, situation, contender)
                : steady(driver, situation, contender);
    }

    @Override
    protected final Map<String, Object> measure() throws IOException {
        if (!options.areRoundsSensible(defaultRounds())) {
            throw wrong("--rounds is 1 to 20");
        }
        repeated(options.rounds(defaultRounds()));
        Workload workload;
        List<Driver> drivers;
        try {
            workload = options.workload(name);
            drivers = options.drivers(drivers());
        } catch (ProfileException e) {
            throw wrong(e.getMessage());
        }
        List<Situation> situations = situations(workload);
        List<Map<String, Object>> rows = new ArrayList<>();
        List<String> losses = new ArrayList<>();
        Map<String, String> promises = new LinkedHashMap<>();
        try (WorkDirectory work = WorkDirectory.createOnFreeDisk("microbatch-" + name)) {
            try (LoadStack started = start(work.path())) {
                stack = started;
                measuredOn(stack.bootstrapServers());
                for (Driver driver : drivers) {
                    String promise = driver.promise(isDisturbed()).text();
                    say(driver.name() + " promises: " + promise);
                    promises.put(driver.name(), promise);
                    warmUp(driver, workload);
                    for (Situation situation : situations) {
                        Row row = measure(driver, situation);
                        row.lines().forEach(this::say);
                        rows.add(row.json());
                        losses.addAll(row.losses());
                    }
                }
            }
        }
        say(losses.isEmpty() ? "Adaptive is nowhere worse by more than a tenth." : "Where adaptive is worse:");
        losses.forEach(loss -> say("  " + loss));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("workload", workload.name());
        json.put("promises", promises);
        json.put(rowsKey, rows);
        json.put("losses", losses);
        json.putAll(notes());
        return json;
    }

    /** Whether a run is interrupted on purpose. */
    protected boolean isDisturbed() {
        return false;
    }

    /** A worker's JVM has to be warm before a figure means anything. */
    private void warmUp(Driver driver, Workload workload) {
        enter(null);
        Situation any = new Situation(WARM_UP, "", workload, 0);
        for (Contender contender : isSmoke() ? List.<Contender>of() : contenders(driver)) {
            int events =
                    isSlow(driver, contender) ? fewEvents() : Math.min(WARM_UP_EVENTS, workload.saturationEvents());
            LoadSpec spec = spec(driver, any, contender, LoadSpec.UNLIMITED, events, 0, SATURATED_LIMIT_SECONDS);
            boolean ignored = note(load(spec).isSound(contender.isForeign()));
        }
    }

    private Row measure(Driver driver, Situation situation) {
        enter(situation);
        Row row = new Row(driver, situation);
        for (int round = 0; round < options.rounds(defaultRounds()); round++) {
            List<Contender> taking = contenders(driver).stream()
                    .filter(contender -> takesPart(driver, situation, contender))
                    .toList();
            for (Contender contender : Comparison.order(taking, round)) {
                Measured outcome = run(driver, situation, contender);
                if (note(outcome.result().isSound(contender.isForeign()))) {
                    row.add(contender, outcome);
                }
            }
        }
        return row;
    }

    private List<Contender> contenders(Driver driver) {
        return contenders().stream()
                .filter(contender -> contender.isFor(driver.delivery()))
                .toList();
    }

    protected final boolean isSmoke() {
        return options.isSmoke();
    }

    /** Whether a contender pays a transaction for each event, so that only a few of them can be awaited. */
    protected static boolean isSlow(Driver driver, Contender contender) {
        return contender.isOneByOne()
                && driver.delivery() == Delivery.EXACTLY_ONCE
                && !Settings.isByTheClock(contender.settings());
    }

    /**
     * No more events than a contender delivers in seconds. One with transactions by the clock gets all of them: few
     * would be over before its first interval. Where it does not keep up, its run is cut off.
     */
    protected final int atMost(Driver driver, Contender contender, int events) {
        return isSlow(driver, contender) ? Math.min(isSmoke() ? SMOKE_EVENTS : fewEvents(), events) : events;
    }

    /** A run at saturation. */
    private Measured saturated(Driver driver, Situation situation, Contender contender) {
        return measured(saturatedSpec(driver, situation, contender), Scenario::saturationFigures);
    }

    private LoadSpec saturatedSpec(Driver driver, Situation situation, Contender contender) {
        int events = atMost(driver, contender, situation.workload().saturationEvents());
        return spec(driver, situation, contender, LoadSpec.UNLIMITED, events, 0, SATURATED_LIMIT_SECONDS);
    }

    /**
     * The same with latencies, which say how long an event is under way when all queues are full. They are those of no
     * rate.
     */
    protected final Measured saturatedWithLatencies(Driver driver, Situation situation, Contender contender) {
        return measured(saturatedSpec(driver, situation, contender), result -> {
            Map<Figure, Double> figures = saturationFigures(result);
            figures.putAll(latencies(result));
            return figures;
        });
    }

    private static Map<Figure, Double> saturationFigures(LoadResult result) {
        double perSec = result.perSecSinceDue();
        return new EnumMap<>(Map.of(Figure.PER_SEC, perSec, Figure.MB_PER_SEC, result.mbPerSec(perSec)));
    }

    /** A run at a rate. */
    private Measured steady(Driver driver, Situation situation, Contender contender) {
        Workload workload = situation.workload();
        int rate = situation.ratePerSec();
        int warmUp = atMost(driver, contender, rate * workload.warmUpSeconds());
        int events = warmUp + atMost(driver, contender, rate * workload.seconds());
        int limitSeconds = workload.warmUpSeconds() + workload.seconds() + SATURATED_LIMIT_SECONDS;
        LoadSpec spec = spec(driver, situation, contender, Integer.toString(rate), events, warmUp, limitSeconds);
        return measured(spec, result -> steadyFigures(result, rate, Settings.intervalMs(spec.settings())));
    }

    /** Where a rate is not reached, a latency would say how long the run was: there is none. */
    private static Map<Figure, Double> steadyFigures(LoadResult result, int rate, int intervalMs) {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        figures.put(Figure.PER_SEC, result.perSec());
        figures.put(Figure.MB_PER_SEC, result.mbPerSec(result.perSec()));
        if (result.carried(rate, intervalMs)) {
            figures.putAll(latencies(result));
            figures.put(Figure.P999_MS, result.p(99.9));
            figures.put(Figure.ACK_P50_MS, result.windows().median(Window::ackP50Ms));
            figures.put(Figure.ACK_P99_MS, result.windows().median(Window::ackP99Ms));
            figures.put(Figure.CPU, result.workerCpuSecPerMillion() + result.brokerCpuSecPerMillion());
        }
        return figures;
    }

    /** End to end. */
    private static Map<Figure, Double> latencies(LoadResult result) {
        return Map.of(Figure.P50_MS, result.p(50), Figure.P95_MS, result.p(95), Figure.P99_MS, result.p(99));
    }

    /** A run, and what is read again of it. What a run has not sent cannot be read. */
    private Measured measured(LoadSpec spec, Function<LoadResult, Map<Figure, Double>> figures) {
        return new LoadRun(stack, out()).runAnd(spec, result -> {
            Map<Figure, Double> all = new EnumMap<>(Figure.class);
            all.putAll(figures.apply(result));
            if (result.isVerified()) {
                all.putAll(readAgain(spec));
            }
            return new Measured(result, all);
        });
    }

    /** Lets a new group read what a run has written, and checks every event again. */
    protected final Consumption consume(LoadSpec spec, boolean cold) {
        Consumption consumption = Consumption.of(stack, spec, cold);
        if (!note(consumption.read().isVerified())) {
            say("  " + spec.topic() + ": NOT VERIFIED when it was read again: "
                    + consumption.read().reading().findings());
        }
        return consumption;
    }

    /** What a run is given: the driver's settings, then the contender's own. */
    protected final LoadSpec spec(
            Driver driver,
            Situation situation,
            Contender contender,
            String rate,
            int events,
            int warmUpEvents,
            int limitSeconds) {
        Workload workload = situation.workload();
        String connector =
                String.format(Locale.ROOT, "%s-%s-%s-%s", name, driver.name(), contender.text(), situation.value());
        int partitions = workload.layout().sourcePartitions();
        LoadSpec spec = new LoadSpec(
                connector,
                name + "-" + runs++,
                driver.delivery(),
                rate,
                // As many in each source partition.
                (events + partitions - 1) / partitions * partitions,
                warmUpEvents,
                limitSeconds,
                settings(driver, situation, contender),
                workload.layout(),
                driver.promise(isDisturbed()));
        if (!situation.key().equals(WARM_UP)) {
            configured(driver.name() + " " + contender.text(), situation.text(), spec.settings());
        }
        return spec;
    }

    private Map<String, String> settings(Driver driver, Situation situation, Contender contender) {
        Workload workload = situation.workload();
        Map<String, String> settings = new HashMap<>(driver.overrides());
        settings.putAll(common());
        if (!contender.isForeign()) {
            settings.putAll(driver.connector());
        }
        settings.putAll(contender.settings());
        if (contender.isUnbuffered()) {
            int pollEvents = Math.min(Settings.MAX_EVENTS, POLL_BYTES / workload.meanBytes());
            settings.put("baseline.poll.events", Integer.toString(pollEvents));
        }
        settings.put("upstream.synthetic.size.bytes", workload.sizeBytes());
        settings.put("upstream.synthetic.payload", workload.payload());
        return settings;
    }

    /** The same with something done to it in the middle. */
    protected final LoadResult load(LoadSpec spec, BiConsumer<ConnectWorker, String> disturbance) {
        return new LoadRun(stack, out()).run(spec, disturbance);
    }

    /** Carries it out. What was found is printed when it is not as promised. */
    protected final LoadResult load(LoadSpec spec) {
        return new LoadRun(stack, out()).run(spec);
    }

    /** The rate of a stream that goes on whatever happens. */
    protected final int liveRate(Workload workload) {
        return workload.lastSteadyRate()
                .orElseThrow(() -> wrong("the workload " + workload.name()
                        + " has no rate but 0, as fast as it goes: this scenario needs one at which"
                        + " events become due"));
    }

    /** Of several rates the lowest and the highest where it is only to be seen to work. */
    protected final <T> List<T> shortened(List<T> values) {
        return isSmoke() && values.size() > 1 ? List.of(values.get(0), values.get(values.size() - 1)) : values;
    }
}
