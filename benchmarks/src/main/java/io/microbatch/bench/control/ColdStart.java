package io.microbatch.bench.control;

import io.microbatch.bench.load.Medians;
import io.microbatch.bench.load.Window;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How a task learned one level, out of its observation windows. Immutable.
 *
 * @param level the level with the most windows
 * @param firstLingerMs T of its first window
 * @param lastLingerMs T that it settled to: the median of the last third of the windows that are no trials
 * @param settledMs from the first event until the setting in force, trials apart, stayed what it was at the end
 * @param exploredMs from the first event until the last of the first trials was over; -1 if it was not
 * @param trials the number of first trials
 */
record ColdStart(int level, double firstLingerMs, double lastLingerMs, long settledMs, long exploredMs, int trials) {

    /** The maximum ratio of two lingers that are taken for the same. The fast loop fits T a little all the time. */
    private static final double SAME = 1.3;

    private static final double SAME_MS = 0.1;

    /** The maximum number of windows between two of the first trials. Later trials are ever more rare. */
    private static final int MAX_BETWEEN_TRIALS = 2;

    /** A window of the first trials may be as short as this, in milliseconds. */
    private static final int SHORT_MS = 2_000;

    /** The part of {@code pressure.window.ms} that a whole window lasts at least. */
    private static final double WHOLE = 0.9;

    /**
     * Looks at the windows of a run.
     *
     * @param windows in the order of time
     * @param beganEpochMs when the first event was due
     * @param wholeMs {@code pressure.window.ms}. Where it is longer than 2 s, windows have this length again when the
     *     first trials are over. Otherwise they are over when the next trial is late
     * @throws IllegalArgumentException if there is no window that is not a trial
     */
    static ColdStart of(List<Window> windows, long beganEpochMs, int wholeMs) {
        int level = levelOf(windows);
        List<Window> of = windows.stream().filter(each -> each.level() == level).toList();
        List<Window> best = of.stream().filter(each -> !each.trial()).toList();
        List<Window> last = best.subList(best.size() - (best.size() + 2) / 3, best.size());
        double lingerMs = Medians.of(last.stream().map(Window::lingerMs).toList());
        int maxEvents = last.get(last.size() - 1).batchTargetEvents();
        long settledMs = 0;
        for (Window each : best) {
            if (each.batchTargetEvents() != maxEvents || !isSame(each.lingerMs(), lingerMs)) {
                settledMs = each.endEpochMs() - beganEpochMs;
            }
        }
        List<Window> first = of.subList(0, firstWindows(of, wholeMs));
        List<Window> trials = first.stream().filter(Window::trial).toList();
        long exploredMs = first.size() == of.size()
                ? -1
                : trials.stream().mapToLong(Window::endEpochMs).max().orElse(beganEpochMs) - beganEpochMs;
        return new ColdStart(level, best.get(0).lingerMs(), lingerMs, settledMs, exploredMs, trials.size());
    }

    private static int levelOf(List<Window> windows) {
        Map<Integer, Long> counts = new LinkedHashMap<>();
        windows.stream().filter(each -> !each.trial()).forEach(each -> {
            long ignored = counts.merge(each.level(), 1L, Long::sum);
        });
        return counts.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow(() -> new IllegalArgumentException("no window that is not a trial"))
                .getKey();
    }

    /** The number of windows until the first trials were over, or of all windows if they were not. */
    private static int firstWindows(List<Window> windows, int wholeMs) {
        boolean wereShort = false;
        boolean wereTrials = false;
        int sinceTrial = 0;
        for (int i = 0; i < windows.size(); i++) {
            Window each = windows.get(i);
            boolean isShort = wholeMs > SHORT_MS && each.windowMs() < WHOLE * wholeMs;
            sinceTrial = each.trial() ? 0 : sinceTrial + 1;
            boolean isLate = wereTrials && sinceTrial > MAX_BETWEEN_TRIALS;
            if (!isShort && (wereShort || isLate)) {
                return i;
            }
            wereShort |= isShort;
            wereTrials |= each.trial();
        }
        boolean nothingToTry = !wereShort && !wereTrials && windows.size() > MAX_BETWEEN_TRIALS;
        return nothingToTry ? 0 : windows.size();
    }

    private static boolean isSame(double oneMs, double otherMs) {
        return Math.max(oneMs, otherMs) + SAME_MS <= SAME * (Math.min(oneMs, otherMs) + SAME_MS);
    }

    /** From the first event until the level had settled and its first trials were over, or -1 if they were not. */
    long convergedMs() {
        return exploredMs < 0 ? -1 : Math.max(settledMs, exploredMs);
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("level", level);
        json.put("first_linger_ms", firstLingerMs);
        json.put("last_linger_ms", lastLingerMs);
        json.put("first_trials", trials);
        json.put("settled_s", settledMs / 1_000.0);
        json.put("explored_s", exploredMs < 0 ? null : exploredMs / 1_000.0);
        json.put("converged_s", exploredMs < 0 ? null : convergedMs() / 1_000.0);
        return json;
    }
}
