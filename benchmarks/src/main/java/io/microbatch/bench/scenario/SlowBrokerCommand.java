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
                    + " flight, one event a poll beside the adaptive connector, at saturation, in both delivery modes."
                    + " A proxy between worker and broker delays the answers; the consumer that checks every event goes"
                    + " to the broker directly.",
            ""
        },
        footer = {"", "Exit codes: 0 verified, 1 not verified or failed, 2 wrong command line."})
public final class SlowBrokerCommand extends VerifyingCommand {

    private static final int LIMIT_SECONDS = 180;
    /** What one event a transaction manages in seconds. */
    private static final int FEW_EVENTS = 20;

    private static final int EVENTS = 400_000;
    private static final int EVENTS_OF_NAIVE = 20_000;

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
            for (Delivery delivery : Delivery.values()) {
                // The worker starts, and its JVM becomes warm, on a fast broker.
                proxy.delayProduce(0);
                boolean ignored = note(run(stack, delivery, false, EVENTS).isVerified());
                for (int delayMs : delaysMs) {
                    proxy.delayProduce(delayMs);
                    rows.add(compare(stack, delivery, delayMs));
                }
            }
        }
        return Map.of("delays", rows);
    }

    private Map<String, Object> compare(LoadStack stack, Delivery delivery, int delayMs) {
        LoadResult naive = run(stack, delivery, true, delivery == Delivery.EXACTLY_ONCE ? FEW_EVENTS : EVENTS_OF_NAIVE);
        LoadResult adaptive = run(stack, delivery, false, EVENTS);
        boolean verified = note(naive.isVerified() && adaptive.isVerified());
        say(String.format(
                Locale.ROOT,
                "%s, %d ms: naive %,.1f/s, adaptive %,.0f/s: %,.0f times%s",
                delivery.text(),
                delayMs,
                naive.perSec(),
                adaptive.perSec(),
                adaptive.perSec() / naive.perSec(),
                verified ? "" : "  NOT VERIFIED"));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("mode", delivery.key());
        json.put("delay_ms", delayMs);
        json.put("naive_per_s", naive.perSec());
        json.put("adaptive_per_s", adaptive.perSec());
        json.put("ratio", adaptive.perSec() / naive.perSec());
        return json;
    }

    private LoadResult run(LoadStack stack, Delivery delivery, boolean naive, int events) {
        String topic = "slow-broker-" + runs++;
        Map<String, String> settings = new HashMap<>(naive ? Settings.baseline(topic, events, 1) : Settings.adaptive());
        settings.put("producer.override.max.in.flight.requests.per.connection", "1");
        String connector = "slow-broker-" + (naive ? "naive" : "adaptive") + "-" + delivery.key();
        return new LoadRun(stack, out())
                .run(new LoadSpec(
                        connector, topic, delivery, LoadSpec.UNLIMITED, events, events / 5, LIMIT_SECONDS, settings));
    }
}
