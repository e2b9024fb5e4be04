package io.microbatch.bench.scenario;

import io.microbatch.bench.VerifyingCommand;
import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.LoadResult;
import io.microbatch.bench.load.LoadRun;
import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.LoadStack;
import io.microbatch.bench.load.Settings;
import io.microbatch.testbed.FaultProxy;
import io.microbatch.testbed.WorkDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench scenario slow-broker}: exits with 0 when every event was verified. */
@Command(
        name = "slow-broker",
        sortOptions = false,
        description = {
            "A broker whose storage takes long: every answer to a produce request comes later by a delay.",
            "",
            "That is what a diskless broker does, which writes to an object store. One topic partition, one request in"
                    + " flight, one event a poll beside the adaptive connector, at saturation, in both delivery modes;"
                    + " the producer's batches at their default of 16 KB, and at 1 MB for the adaptive connector."
                    + " A proxy between worker and broker delays the answers; the consumer that checks every event goes"
                    + " to the broker directly.",
            ""
        },
        footer = {"", "Exit codes: 0 verified, 1 not verified or failed, 2 wrong command line."})
public final class SlowBrokerCommand extends VerifyingCommand {

    private static final int LIMIT_SECONDS = 180;
    /** What one event a transaction manages in seconds. */
    private static final int FEW_EVENTS = 20;

    private static final int WARM_UP_EVENTS = 400_000;
    private static final int SECONDS = 10;

    /** How long a produce request takes without any delay. */
    private static final int OWN_MS = 5;

    private static final int EVENT_BYTES_IN_REQUEST = 110;
    private static final int DEFAULT_BATCH_BYTES = 16_384;
    private static final int LARGE_BATCH_BYTES = 1_000_000;

    @Option(
            names = "--delays",
            paramLabel = "MS",
            split = ",",
            defaultValue = "10,100,250,400",
            description = "the delays in milliseconds, separated by commas; default ${DEFAULT-VALUE}")
    private List<Integer> delaysMs;

    private int runs;

    @Override
    protected Map<String, Object> measure() throws IOException {
        if (delaysMs.stream().anyMatch(ms -> ms < 0 || ms > 5_000)) {
            throw wrong("--delays are 0 to 5000 ms");
        }
        List<Map<String, Object>> rows = new ArrayList<>();
        try (WorkDirectory work = WorkDirectory.create("microbatch-slow-broker");
                FaultProxy proxy = FaultProxy.listenForKafka();
                LoadStack stack = LoadStack.startBehind(proxy, work.path())) {
            measuredOn(stack.bootstrapServers());
            for (Delivery delivery : Delivery.values()) {
                // The worker starts, and its JVM becomes warm, on a fast broker.
                proxy.delayProduce(0);
                boolean ignored =
                        note(run(stack, delivery, false, WARM_UP_EVENTS).isVerified());
                for (int delayMs : delaysMs) {
                    proxy.delayProduce(delayMs);
                    rows.add(compare(stack, delivery, delayMs));
                }
            }
        }
        return Map.of("delays", rows);
    }

    private Map<String, Object> compare(LoadStack stack, Delivery delivery, int delayMs) {
        int events = events(delayMs, DEFAULT_BATCH_BYTES);
        LoadResult naive = run(stack, delivery, true, delivery == Delivery.EXACTLY_ONCE ? FEW_EVENTS : events);
        LoadResult adaptive = run(stack, delivery, false, events);
        Map<String, String> override = Map.of("producer.override.batch.size", Integer.toString(LARGE_BATCH_BYTES));
        LoadResult large = run(stack, delivery, false, events(delayMs, LARGE_BATCH_BYTES), override);
        boolean verified = note(naive.isVerified() && adaptive.isVerified() && large.isVerified());
        double ratio = adaptive.perSecSinceDue() / naive.perSecSinceDue();
        say(String.format(
                Locale.ROOT,
                "%s, %d ms: naive %,.1f/s, adaptive %,.0f/s, %,.1f times; with batch.size=%d %,.0f/s%s",
                delivery.text(),
                delayMs,
                naive.perSecSinceDue(),
                adaptive.perSecSinceDue(),
                ratio,
                LARGE_BATCH_BYTES,
                large.perSecSinceDue(),
                verified ? "" : "  NOT VERIFIED"));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("mode", delivery.key());
        json.put("delay_ms", delayMs);
        json.put("naive_per_s", naive.perSecSinceDue());
        json.put("adaptive_per_s", adaptive.perSecSinceDue());
        json.put("ratio", ratio);
        json.put("adaptive_large_batches_per_s", large.perSecSinceDue());
        return json;
    }

    /** As many as one request in flight, of the producer's largest batch, carries in a few seconds. */
    private static int events(int delayMs, int batchBytes) {
        long requests = SECONDS * 1_000L / (delayMs + OWN_MS);
        return (int) Math.min(WARM_UP_EVENTS, requests * (batchBytes / EVENT_BYTES_IN_REQUEST));
    }

    private LoadResult run(LoadStack stack, Delivery delivery, boolean naive, int events) {
        return run(stack, delivery, naive, events, Map.of());
    }

    private LoadResult run(
            LoadStack stack, Delivery delivery, boolean naive, int events, Map<String, String> override) {
        String topic = "slow-broker-" + runs++;
        Map<String, String> settings = new HashMap<>(naive ? Settings.baseline(topic, events, 1) : Settings.adaptive());
        settings.put("producer.override.max.in.flight.requests.per.connection", "1");
        settings.putAll(override);
        String connector = "slow-broker-" + (naive ? "naive" : "adaptive") + "-" + delivery.key();
        return new LoadRun(stack, out())
                .run(new LoadSpec(connector, topic, delivery, LoadSpec.UNLIMITED, events, 0, LIMIT_SECONDS, settings));
    }
}
