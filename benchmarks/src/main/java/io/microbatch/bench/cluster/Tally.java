package io.microbatch.bench.cluster;

import io.microbatch.bench.load.LoadResult;
import io.microbatch.bench.load.Medians;
import io.microbatch.bench.load.SequenceCheck;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What all rounds of one connector have shown. One thread. */
final class Tally {

    private final String name;
    private final int events;
    private final Map<String, String> settings;
    private final List<Double> perSec = new ArrayList<>();
    private long read;
    private long lost;
    private long duplicated;
    private long reordered;

    Tally(String name, int events, Map<String, String> settings) {
        this.name = name;
        this.events = events;
        this.settings = settings;
    }

    String name() {
        return name;
    }

    /** Of a round. */
    int events() {
        return events;
    }

    Map<String, String> settings() {
        return settings;
    }

    void add(LoadResult result, boolean measured) {
        SequenceCheck check = result.first().check();
        read += events;
        lost += check.lost();
        duplicated += check.duplicated();
        reordered += check.reordered();
        if (measured) {
            perSec.add(result.perSec());
        }
    }

    /** The median of the rounds that were verified and count; 0 when there is none. */
    long perSec() {
        return Math.round(Medians.of(perSec));
    }

    String text() {
        return String.format(
                Locale.ROOT,
                "%-8s %,12d events/s, of %,d events lost %d, duplicated %d, reordered %d",
                name,
                perSec(),
                read,
                lost,
                duplicated,
                reordered);
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("events", read);
        json.put("lost", lost);
        json.put("duplicated", duplicated);
        json.put("reordered", reordered);
        json.put("per_s", perSec.stream().map(Math::round).toList());
        return json;
    }
}
