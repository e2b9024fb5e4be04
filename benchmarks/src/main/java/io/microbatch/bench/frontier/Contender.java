package io.microbatch.bench.frontier;

import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A setting that takes part. Immutable.
 *
 * @param name as results have it; the numbers in it are milliseconds
 * @param isStock whether any connector can have it without this project's code
 * @param learns whether it changes with what it observes
 * @param targetMs the latency that it is asked to keep; 0 for none
 * @param maxRate the highest rate in events per second at which it takes part
 * @param settings the connector settings that make it
 */
record Contender(
        String name, boolean isStock, boolean learns, int targetMs, int maxRate, Map<String, String> settings) {

    private static final String INTERVAL_100 = "interval-100";

    /** The default. In windows of 2 s two stalls of the machine already move a p99. */
    private static final String SHIPPED_WINDOW_MS = "10000";

    /** Before the name of a setting of this connector. */
    private static final String HOSTED = "hosted-";

    private static final int ANY_RATE = Integer.MAX_VALUE;

    /** Above this rate a transaction for each event keeps up on no machine, and what is late fills the run. */
    private static final int MAX_NAIVE_PER_SEC = 100;

    /** Above this rate the next event is due before a poll has waited for long. */
    private static final int MAX_WAITING_PER_SEC = 200;

    /** Behind the name of a setting of this connector. */
    private static final Pattern DELAYED = Pattern.compile("(.+)-delay-(\\d{1,3})");

    private static final Pattern NAME = Pattern.compile("(interval-all|interval|linger-all|linger|target|fixed)"
            + "-(\\d{1,6})(?:-wait-(?<wait>\\d{1,6}))?(?:-linger-(?<linger>\\d{1,6}))?");

    private static final List<String> INTERVALS =
            List.of("interval-5", "interval-10", "interval-20", "interval-50", "interval-100", "interval-200");

    /** The strongest stock settings at a steady rate: a linger saves most produce requests of an interval. */
    private static final List<String> LINGERING = List.of(
            "interval-10-linger-10",
            "interval-20-linger-20",
            "interval-50-linger-50",
            "interval-100-linger-100",
            "interval-200-linger-200");

    private static final List<String> FULL_OURS = List.of(
            "default", "latency", "target-10", "target-30", "target-100", "fixed-0", "fixed-5", "fixed-20", "fixed-50");

    /**
     * The setting of this name.
     *
     * @throws IllegalArgumentException if there is none under this delivery
     */
    static Contender named(String name, Delivery delivery) {
        if (name.startsWith(HOSTED)) {
            Contender generator = named(name.substring(HOSTED.length()), delivery);
            require(!generator.isStock && !Settings.isHosted(generator.settings), name, delivery);
            return generator.hosting(name);
        }
        Matcher delayed = DELAYED.matcher(name);
        if (delayed.matches()) {
            Contender prompt = named(delayed.group(1), delivery);
            require(!prompt.isStock && delivery == Delivery.EXACTLY_ONCE, name, delivery);
            return prompt.delaying(name, delayed.group(2));
        }
        Matcher parts = NAME.matcher(name);
        boolean exactlyOnce = delivery == Delivery.EXACTLY_ONCE;
        return switch (name) {
            case "default" -> ours(name, true, 0, null, Settings.adaptive());
            case "latency" -> ours(name, true, 0, null, Map.of("batch.objective", "latency"));
            case "naive" -> {
                require(exactlyOnce, name, delivery);
                yield stock(name, MAX_NAIVE_PER_SEC, null, Settings.baseline(1));
            }
            default -> {
                require(parts.matches(), name, delivery);
                String kind = parts.group(1);
                require(kind.startsWith("interval") || parts.group("wait") == null, name, delivery);
                require(!kind.startsWith("linger") || parts.group("linger") == null, name, delivery);
                require(!kind.startsWith("interval") || exactlyOnce, name, delivery);
                require(!kind.startsWith("linger") || !exactlyOnce, name, delivery);
                yield numbered(name, kind, Integer.parseInt(parts.group(2)), parts);
            }
        };
    }

    /** The same setting of this connector, for a source that returns one event from each poll. */
    private Contender hosting(String hostingName) {
        Map<String, String> all = Settings.hosted(Settings.baseline(1));
        all.putAll(settings);
        return new Contender(hostingName, isStock, learns, targetMs, maxRate, all);
    }

    /** The same setting of this connector with offsets that come later. */
    private Contender delaying(String delayedName, String delayMs) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put("batch.offset.delay.ms", delayMs);
        return new Contender(delayedName, isStock, learns, targetMs, maxRate, all);
    }

    /** Whether it is a stock setting that the transactions of a target are compared with. */
    boolean hasIntervalOf100() {
        return name.equals(INTERVAL_100) || name.startsWith(INTERVAL_100 + "-linger");
    }

    private static Contender numbered(String name, String kind, int ms, Matcher parts) {
        int pollEvents = kind.endsWith("-all") ? Settings.MAX_EVENTS : 1;
        String wait = parts.group("wait");
        // A commit sends what the linger has collected, so that a linger delays no event beyond its transaction.
        String lingerMs = parts.group("linger");
        return switch (kind) {
            case "target" -> ours(name, true, ms, lingerMs, Map.of("latency.target.ms", Integer.toString(ms)));
            case "fixed" -> ours(name, false, 0, lingerMs, Settings.fixed(ms));
            case "linger", "linger-all" -> stock(name, ANY_RATE, Integer.toString(ms), Settings.baseline(pollEvents));
            default ->
                wait == null
                        ? stock(name, ANY_RATE, lingerMs, Settings.interval(pollEvents, ms))
                        : stock(
                                name,
                                MAX_WAITING_PER_SEC,
                                lingerMs,
                                Settings.interval(pollEvents, ms, Integer.parseInt(wait)));
        };
    }

    private static void require(boolean isRight, String name, Delivery delivery) {
        if (!isRight) {
            throw new IllegalArgumentException("no contender " + name + " under " + delivery.text());
        }
    }

    private static Contender ours(
            String name, boolean learns, int targetMs, String lingerMs, Map<String, String> settings) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        if (learns) {
            all.put("pressure.window.ms", SHIPPED_WINDOW_MS);
        }
        return new Contender(name, false, learns, targetMs, ANY_RATE, withProducer(all, lingerMs));
    }

    private static Contender stock(String name, int maxRate, String lingerMs, Map<String, String> settings) {
        return new Contender(name, true, false, 0, maxRate, withProducer(settings, lingerMs));
    }

    /** The producer settings that all have in common, and a linger if one is named. Otherwise it is Kafka's default. */
    private static Map<String, String> withProducer(Map<String, String> settings, String lingerMs) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put("producer.override.compression.type", "lz4");
        all.put("producer.override.batch.size", "1000000");
        if (lingerMs != null) {
            all.put("producer.override.linger.ms", lingerMs);
        }
        return all;
    }

    /** The names of those that take part unless others are named. */
    static List<String> usual(Delivery delivery, boolean quick, boolean delayed) {
        List<String> names = new ArrayList<>();
        if (delayed) {
            names.addAll(delivery == Delivery.EXACTLY_ONCE ? LINGERING : List.of("linger-0", "linger-5", "linger-20"));
            names.addAll(List.of("default", "target-100"));
        } else if (delivery == Delivery.AT_LEAST_ONCE) {
            for (int ms : quick ? new int[] {5, 20, 100} : new int[] {0, 5, 20, 100}) {
                names.add("linger-" + ms);
                names.add("linger-all-" + ms);
            }
            names.addAll(List.of("default", "latency", "target-30"));
        } else if (quick) {
            names.addAll(List.of("interval-20", "interval-50", INTERVAL_100, "interval-all-20"));
            names.addAll(LINGERING);
            names.addAll(List.of("default", "latency", "target-30", "target-100", "fixed-20"));
        } else {
            names.add("naive");
            names.addAll(INTERVALS);
            names.addAll(List.of("interval-all-20", "interval-all-50", "interval-all-100"));
            names.addAll(List.of("interval-20-wait-5", "interval-50-wait-5", "interval-100-wait-5"));
            names.addAll(LINGERING);
            names.addAll(FULL_OURS);
        }
        return names;
    }
}
