package io.microbatch.bench.calibrate;

import io.microbatch.bench.calibrate.CalibrationSnapshot.StoredWindow;
import io.microbatch.connect.calibration.CalibrationKey;
import io.microbatch.connect.config.BatchConfig;
import io.microbatch.connect.learning.LevelBest;
import io.microbatch.connect.pressure.PressureLevel;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A calibration file in words. Stateless. */
final class StatusReport {

    private static final String ROW = "  %-16s %10s %9s %11s %11s %9s %8s %8s %s%n";
    private static final long MS_PER_MINUTE = 60_000;
    private static final long MINUTES_PER_HOUR = 60;
    private static final long HOURS_PER_DAY = 24;

    private StatusReport() {}

    static void print(List<CalibrationSnapshot> snapshots, long nowEpochMs, PrintWriter out) {
        for (CalibrationSnapshot snapshot : snapshots) {
            CalibrationKey key = snapshot.key();
            out.printf(
                    "%s, task %d, %s, host %s, upstream %s, meaning %s%n",
                    key.connector(), key.task(), key.deliveryMode(), key.host(), key.upstream(), key.meaning());
            out.printf(ROW, "level", "N", "T ms", "score/s", "expected/s", "p99 ms", "windows", "age", "");
            for (PressureLevel level : PressureLevel.values()) {
                LevelBest best = snapshot.bests().get(level);
                if (best != null) {
                    row(
                            best,
                            BatchConfig.budgetsLearnedUnder(key.deliveryMode()).budgetMs(level),
                            nowEpochMs,
                            out);
                }
            }
            snapshot.recent().forEach((level, windows) -> recent(level, windows, out));
            if (snapshot.skippedRows() > 0) {
                out.println("  " + snapshot.skippedRows() + " rows are damaged and not shown");
            }
        }
        out.flush();
    }

    private static void row(LevelBest best, int budgetMs, long nowEpochMs, PrintWriter out) {
        boolean kept = best.ackP99Nanos() <= budgetMs * 1_000_000L;
        out.printf(
                ROW,
                best.level(),
                best.setting().maxEvents(),
                String.format(Locale.ROOT, "%.1f", best.setting().lingerMs()),
                String.format(Locale.ROOT, "%,.0f", best.scorePerSec()),
                String.format(Locale.ROOT, "%,.0f", best.expectedPerSec()),
                String.format(Locale.ROOT, "%.1f", best.ackP99Nanos() / 1e6),
                best.observations(),
                age(nowEpochMs - best.updatedEpochMs()),
                (kept ? "" : "over the budget of " + budgetMs + " ms ")
                        + (best.regressions() == 0 ? "" : "REGRESSIONS: " + best.regressions()));
    }

    private static void recent(PressureLevel level, List<StoredWindow> windows, PrintWriter out) {
        out.println("  last windows of " + level + ", newest first:");
        for (StoredWindow window : windows) {
            out.printf(
                    Locale.ROOT,
                    "    T %8.1f ms, %,9d events in %,6d batches, %,11.0f/s, p99 %8.1f ms%s%s%n",
                    window.lingerMs(),
                    window.events(),
                    window.batches(),
                    window.serviceRatePerSec(),
                    window.ackP99Ms(),
                    window.feasible() ? "" : ", over budget",
                    window.trial() ? ", a trial" : "");
        }
    }

    static String age(long ms) {
        long minutes = Math.max(0, ms) / MS_PER_MINUTE;
        long hours = minutes / MINUTES_PER_HOUR;
        if (hours == 0) {
            return minutes + " min";
        }
        return hours < HOURS_PER_DAY ? hours + " h" : hours / HOURS_PER_DAY + " d";
    }

    static List<Map<String, Object>> json(List<CalibrationSnapshot> snapshots) {
        List<Map<String, Object>> keys = new ArrayList<>();
        for (CalibrationSnapshot snapshot : snapshots) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("connector", snapshot.key().connector());
            json.put("task", snapshot.key().task());
            json.put("delivery_mode", snapshot.key().deliveryMode());
            json.put("host", snapshot.key().host());
            json.put("upstream", snapshot.key().upstream());
            json.put("meaning", snapshot.key().meaning());
            json.put("skipped_rows", snapshot.skippedRows());
            json.put(
                    "levels",
                    snapshot.bests().values().stream().map(StatusReport::json).toList());
            keys.add(json);
        }
        return keys;
    }

    private static Map<String, Object> json(LevelBest best) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("level", best.level().number());
        json.put("batch_target_events", best.setting().maxEvents());
        json.put("linger_ms", best.setting().lingerMs());
        json.put("score_per_s", best.scorePerSec());
        json.put("expected_throughput_per_s", best.expectedPerSec());
        json.put("arrivals_per_s", best.arrivalsPerSec());
        json.put("p99_ms", best.ackP99Nanos() / 1e6);
        json.put("windows", best.observations());
        json.put("updated_epoch_ms", best.updatedEpochMs());
        json.put("regressions", best.regressions());
        return json;
    }
}
