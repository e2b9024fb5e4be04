package io.microbatch.bench.scenario;

/** What is measured of a run. */
enum Figure {
    /** Events per second. */
    PER_SEC("per_s", "", "/s", true),
    /** Megabytes (10^6 bytes of values) per second. Events per second say who is better. */
    MB_PER_SEC("mb_per_s", "", "MB/s", ""),
    /** From when an event was due to a reader's having it: half of them were faster. */
    P50_MS("p50_ms", "p50", "ms", false),
    /** The same for 95 of 100. */
    P95_MS("p95_ms", "p95", "ms", false),
    /** The same for 99 of 100. */
    P99_MS("p99_ms", "p99", "ms", false),
    /** The same for 999 of 1,000. */
    P999_MS("p999_ms", "p99.9", "ms", false),
    /** From arrival in the task to acknowledgement, the median of the observation windows. */
    ACK_P50_MS("ack_p50_ms", "ack p50", "ms", false),
    /** The same for 99 of 100. */
    ACK_P99_MS("ack_p99_ms", "ack p99", "ms", false),
    /** Worker and brokers. */
    CPU("cpu_s_per_million", "CPU", "s/M", false),
    /** From the request or the fault until events are within the latency budget again. */
    LIVE_AFTER_MS("live_after_ms", "live after", "ms", false),
    /** From the request or the fault to the first event after the interruption. */
    FIRST_NEW_MS("first_new_ms", "first new after", "ms", false),
    /** How many events behind what was read the source went back. */
    REPEATED("repeated_events", "went back", "events", false),
    /** The size of the topics on the broker's disk. Contenders may have sent more events or fewer. */
    TOPIC_MB("topic_mb", "on disk", "MB", ""),
    /** Events per second of a group that reads all of it when the last event is there. */
    WARM_PER_SEC("warm_per_s", "", "/s", true, "read from the page cache"),
    /** The same in megabytes. */
    WARM_MB_PER_SEC("warm_mb_per_s", "", "MB/s", "read from the page cache"),
    /** How long its polls waited for records: half of them were faster. */
    WARM_P50_MS("p50_ms_of_warm_polls", "poll p50", "ms", false, "read from the page cache"),
    /** The same for 95 of 100. */
    WARM_P95_MS("p95_ms_of_warm_polls", "p95", "ms", false, "read from the page cache"),
    /** The same for 99 of 100. */
    WARM_P99_MS("p99_ms_of_warm_polls", "p99", "ms", false, "read from the page cache"),
    /** What the broker read from the disk for it. No better or worse. */
    WARM_DISK_MB("warm_disk_mb", "from the disk", "MB", "read from the page cache"),
    /** Events per second of a group that reads all of it after a restart of the broker. */
    COLD_PER_SEC("cold_per_s", "", "/s", true, "read cold"),
    /** The same in megabytes. */
    COLD_MB_PER_SEC("cold_mb_per_s", "", "MB/s", "read cold"),
    /** How long its polls waited for records: half of them were faster. */
    COLD_P50_MS("p50_ms_of_cold_polls", "poll p50", "ms", false, "read cold"),
    /** The same for 95 of 100. */
    COLD_P95_MS("p95_ms_of_cold_polls", "p95", "ms", false, "read cold"),
    /** The same for 99 of 100. */
    COLD_P99_MS("p99_ms_of_cold_polls", "p99", "ms", false, "read cold"),
    /** What the broker read from the disk for it. No better or worse. */
    COLD_DISK_MB("cold_disk_mb", "from the disk", "MB", "read cold");

    private final String key;
    private final String label;
    private final String unit;
    /** 1 if more is better, -1 if less is, 0 if neither. */
    private final int better;

    private final String part;

    Figure(String key, String label, String unit, boolean moreIsBetter) {
        this(key, label, unit, moreIsBetter, "");
    }

    Figure(String key, String label, String unit, boolean moreIsBetter, String part) {
        this(key, label, unit, moreIsBetter ? 1 : -1, part);
    }

    Figure(String key, String label, String unit, String part) {
        this(key, label, unit, 0, part);
    }

    Figure(String key, String label, String unit, int better, String part) {
        this.key = key;
        this.label = label;
        this.unit = unit;
        this.better = better;
        this.part = part;
    }

    /** As a result has it, so that {@code regress} knows which way is better. */
    String key(Contender contender) {
        return key.endsWith("per_s") ? contender.text() + "_" + key : key + "_" + contender.text();
    }

    /** What of a run it is about, where figures of the same name are about several things. Empty for all of it. */
    String part() {
        return part;
    }

    /** Before the figure, in a line. */
    String label() {
        return label;
    }

    /** Behind it. */
    String unit() {
        return unit;
    }

    /** By how much one value is better than another: over 1 for better. 1 where none is better. */
    double advantage(double ours, double theirs) {
        double least = better > 0 ? Double.MIN_NORMAL : 1e-3;
        double mine = Math.max(least, ours);
        double yours = Math.max(least, theirs);
        return better == 0 ? 1 : better > 0 ? mine / yours : yours / mine;
    }
}
