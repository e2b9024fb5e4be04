package io.microbatch.bench.advise;

import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A stream whose connector gets an advice. Immutable.
 *
 * @param name as results have it
 * @param place the brokers
 * @param delivery the worker's mode
 * @param perSec events a second
 * @param bytes the size of an event
 * @param goalMs the p99 that the advice is for
 * @param source the settings of the connector that makes the events
 * @param hosted whether it is hosted before the advice
 * @param options what else is set before the advice
 */
record AdvisedStream(
        String name,
        Place place,
        Delivery delivery,
        int perSec,
        int bytes,
        int goalMs,
        Map<String, String> source,
        boolean hosted,
        Map<String, String> options) {

    private static final String TARGET = "latency.target.ms";
    private static final String INTERVAL_MS = "transaction.boundary.interval.ms";
    private static final int GOAL_MS = 100;

    /** Polls wait for as long as this for an event, so that each event of a slow stream ends a poll. */
    private static final String LONG_WAIT_MS = "5000";

    /** A part of a goal that leaves room for a commit of a tenth of it. */
    private static final double INTERVAL_PART = 0.9;

    /**
     * A setting that is tried on a stream.
     *
     * @param name as results have it
     * @param hosted whether this project's connector hosts the stream's one
     * @param options what is set
     */
    record Setting(String name, boolean hosted, Map<String, String> options) {}

    private static AdvisedStream plain(String name, Place place, int perSec, int bytes, int pollEvents) {
        return new AdvisedStream(
                name,
                place,
                Delivery.EXACTLY_ONCE,
                perSec,
                bytes,
                GOAL_MS,
                Settings.baseline(pollEvents),
                false,
                Map.of());
    }

    private AdvisedStream with(Delivery mode, int goal, boolean isHosted, Map<String, String> more) {
        return new AdvisedStream(name, place, mode, perSec, bytes, goal, source, isHosted, more);
    }

    private AdvisedStream blocking() {
        Map<String, String> waits = new LinkedHashMap<>(source);
        waits.put("baseline.wait.ms", LONG_WAIT_MS);
        return new AdvisedStream(name, place, delivery, perSec, bytes, goalMs, waits, hosted, options);
    }

    private AdvisedStream with(Map<String, String> more) {
        return with(delivery, goalMs, hosted, more);
    }

    private static AdvisedStream one(String name, Place place, int perSec) {
        return plain(name, place, perSec, 100, 1);
    }

    /** The streams, those of one place and one delivery one after the other. */
    static List<AdvisedStream> all(boolean quick) {
        Place here = Place.ONE_BROKER;
        List<AdvisedStream> streams = new ArrayList<>();
        streams.add(one("one a poll, 200/s", here, 200));
        streams.add(one("one a poll, 1,000/s", here, 1_000));
        streams.add(one("one a poll, 10,000/s", here, 10_000));
        streams.add(plain("all a poll, 1,000/s of 1 KB", here, 1_000, 1_000, Settings.MAX_EVENTS));
        streams.add(
                one("polls that wait, 5/s, interval 500", here, 5).blocking().with(interval(500)));
        streams.add(one("hosted, target 10, 1,000/s", here, 1_000)
                .with(Delivery.EXACTLY_ONCE, GOAL_MS, true, Map.of(TARGET, "10")));
        streams.add(one("interval 20, linger 20, 1,000/s", here, 1_000).with(intervalAndLinger(20)));
        if (!quick) {
            streams.add(one("one a poll, 20/s", here, 20));
            streams.add(
                    one("one a poll, 1,000/s, goal 30", here, 1_000).with(Delivery.EXACTLY_ONCE, 30, false, Map.of()));
            streams.add(plain("all a poll, 20,000/s", here, 20_000, 100, Settings.MAX_EVENTS));
            streams.add(one("interval 1,000, 1,000/s", here, 1_000).with(interval(1_000)));
            streams.add(one("polls that wait, 30/s, interval 50", here, 30)
                    .blocking()
                    .with(interval(50)));
            streams.add(one("hosted, interval 50, 1,000/s", here, 1_000)
                    .with(Delivery.EXACTLY_ONCE, GOAL_MS, true, interval(50)));
            streams.add(one("hosted, defaults, 200/s", here, 200).with(Delivery.EXACTLY_ONCE, GOAL_MS, true, Map.of()));
        }
        streams.add(one("at least once, 1,000/s", here, 1_000).with(Delivery.AT_LEAST_ONCE, GOAL_MS, false, Map.of()));
        streams.add(one("slow broker, 1,000/s", Place.SLOW_BROKER, 1_000));
        if (!quick) {
            streams.add(one("slow broker, 50/s", Place.SLOW_BROKER, 50));
        }
        streams.add(one("three brokers, 200/s", Place.THREE_BROKERS, 200));
        if (!quick) {
            streams.add(one("three brokers, 1,000/s", Place.THREE_BROKERS, 1_000));
        }
        return List.copyOf(streams);
    }

    /** How it is before the advice. */
    Setting before() {
        return new Setting("before", hosted, options);
    }

    /**
     * What is tried on it besides the advice: settings that any connector can have, and this project's. Where Connect's
     * interval ends the transactions of the advised configuration, that interval is tried with a linger as long, too.
     *
     * @param advised the configuration that the advice comes to
     */
    List<Setting> tried(boolean quick, Map<String, String> advised) {
        List<Setting> tried = new ArrayList<>();
        int longMs = (int) Math.round(goalMs * INTERVAL_PART);
        if (delivery == Delivery.AT_LEAST_ONCE) {
            tried.add(new Setting("linger-" + goalMs / 2, false, linger(goalMs / 2)));
        } else {
            tried.add(new Setting("poll", false, Map.of()));
            tried.add(new Setting("interval-" + longMs, false, interval(longMs)));
            Set<Integer> lengths = new LinkedHashSet<>(quick ? List.of(longMs) : List.of(20, 50, longMs));
            if (Settings.isStock(advised) && Settings.isByTheClock(advised)) {
                lengths.add(Integer.valueOf(advised.get(INTERVAL_MS)));
            }
            for (int ms : lengths) {
                tried.add(new Setting("interval-" + ms + "-linger-" + ms, false, intervalAndLinger(ms)));
            }
        }
        if (!quick) {
            tried.add(new Setting("hosted-default", true, Map.of()));
        }
        tried.add(new Setting("hosted-target-" + goalMs, true, Map.of(TARGET, Integer.toString(goalMs))));
        return tried;
    }

    private static Map<String, String> interval(int ms) {
        return Map.of("transaction.boundary", "interval", INTERVAL_MS, Integer.toString(ms));
    }

    /** The strongest stock setting: the commit sends what the linger has collected. */
    private static Map<String, String> intervalAndLinger(int ms) {
        return Settings.withLinger(interval(ms), ms);
    }

    private static Map<String, String> linger(int ms) {
        return Settings.withLinger(Map.of(), ms);
    }

    /**
     * A connector's whole configuration.
     *
     * @param events how many events there are, more than are read
     */
    Map<String, String> config(Setting setting, String topic, int events) {
        Map<String, String> plain = new LinkedHashMap<>(source);
        plain.put("upstream.synthetic.topic", topic);
        plain.put("upstream.synthetic.rate", Integer.toString(perSec));
        plain.put("upstream.synthetic.events.per.partition", Integer.toString(events));
        plain.put("upstream.synthetic.size.bytes", Integer.toString(bytes));
        Map<String, String> config = new LinkedHashMap<>(setting.hosted() ? Settings.hosted(plain) : plain);
        config.put("tasks.max", "1");
        config.put("key.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        config.put("value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        config.putAll(setting.options());
        return config;
    }
}
