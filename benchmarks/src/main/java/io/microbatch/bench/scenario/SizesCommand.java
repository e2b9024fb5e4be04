package io.microbatch.bench.scenario;

import io.microbatch.bench.VerifyingCommand;
import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.LoadResult;
import io.microbatch.bench.load.LoadRun;
import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.LoadStack;
import io.microbatch.bench.load.Medians;
import io.microbatch.bench.load.Settings;
import io.microbatch.testbed.WorkDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench scenario sizes}: exits with 0 when every event was verified. */
@Command(
        name = "sizes",
        sortOptions = false,
        description = {
            "Events of 1, 10 and 100 KB at saturation, in both delivery modes.",
            "",
            "One event a poll, this connector with fixed settings, adaptive, and a source that buffers nothing and makes"
                    + " 16 MB a poll, in turns, the same producer settings for all. With large events a batch is bound by"
                    + " its bytes.",
            ""
        },
        footer = {"", "Exit codes: 0 verified, 1 not verified or failed, 2 wrong command line."})
public final class SizesCommand extends VerifyingCommand {

    private static final int BYTES = 200_000_000;
    private static final int POLL_BYTES = 16_000_000;
    private static final int SLOW_EVENTS = 300;
    private static final double FIXED_LINGER_MS = 5;
    private static final List<Integer> SIZES = List.of(1_000, 10_000, 100_000);

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "2",
            description = "rounds after the first, which warms up; default ${DEFAULT-VALUE}, about six minutes")
    private int rounds;

    private int runs;

    /** Who moves them. */
    private enum Contender {
        NAIVE,
        FIXED,
        ADAPTIVE,
        UNBUFFERED;

        private String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Override
    protected Map<String, Object> measure() throws IOException {
        if (rounds < 1 || rounds > 20) {
            throw wrong("--rounds is 1 to 20");
        }
        List<Map<String, Object>> sizes = new ArrayList<>();
        try (WorkDirectory work = WorkDirectory.create("microbatch-sizes")) {
            work.requireSpace();
            try (LoadStack stack = LoadStack.start(work.path(), 1)) {
                measuredOn(stack.bootstrapServers());
                for (Delivery delivery : Delivery.values()) {
                    for (Contender contender : Contender.values()) {
                        boolean ignored = note(
                                run(stack, contender, delivery, SIZES.get(0)).isVerified());
                    }
                    for (int sizeBytes : SIZES) {
                        sizes.add(compare(stack, delivery, sizeBytes));
                    }
                }
            }
        }
        return Map.of("sizes", sizes);
    }

    private Map<String, Object> compare(LoadStack stack, Delivery delivery, int sizeBytes) {
        Map<Contender, List<Double>> perSec = new EnumMap<>(Contender.class);
        for (int round = 0; round < rounds; round++) {
            List<Contender> order = new ArrayList<>(List.of(Contender.values()));
            if (round % 2 == 1) {
                Collections.reverse(order);
            }
            for (Contender contender : order) {
                LoadResult result = run(stack, contender, delivery, sizeBytes);
                if (note(result.isVerified())) {
                    perSec.computeIfAbsent(contender, c -> new ArrayList<>()).add(result.perSecSinceDue());
                }
            }
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("mode", delivery.key());
        json.put("size_bytes", sizeBytes);
        StringBuilder line =
                new StringBuilder(String.format(Locale.ROOT, "%s, %,d bytes:", delivery.text(), sizeBytes));
        perSec.forEach((contender, figures) -> {
            double median = Medians.of(figures);
            json.put(contender.text() + "_per_s", median);
            line.append(String.format(
                    Locale.ROOT, " %s %,.0f/s (%,.1f MB/s)", contender.text(), median, median * sizeBytes / 1e6));
        });
        say(line.toString());
        return json;
    }

    private LoadResult run(LoadStack stack, Contender contender, Delivery delivery, int sizeBytes) {
        String topic = "sizes-" + runs++;
        boolean slow = contender == Contender.NAIVE && delivery == Delivery.EXACTLY_ONCE;
        int events = slow ? SLOW_EVENTS : BYTES / sizeBytes;
        Map<String, String> settings = new HashMap<>(Settings.withProducer(
                switch (contender) {
                    case NAIVE -> Settings.baseline(topic, events, 1);
                    case UNBUFFERED -> Settings.baseline(topic, events, POLL_BYTES / sizeBytes);
                    case FIXED -> Settings.fixed(FIXED_LINGER_MS);
                    case ADAPTIVE -> Settings.adaptive();
                }));
        boolean own = contender == Contender.FIXED || contender == Contender.ADAPTIVE;
        settings.put(own ? "upstream.synthetic.size.bytes" : "baseline.size.bytes", Integer.toString(sizeBytes));
        String connector = "sizes-" + contender.text() + "-" + delivery.key() + "-" + sizeBytes;
        return new LoadRun(stack, out()).run(LoadSpec.saturating(connector, topic, delivery, events, 0, settings));
    }
}
