package io.microbatch.bench.upgrade;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an exchange did to the learned values, in levels of all tasks. Immutable.
 *
 * @param tasks the number of tasks that had learned something before
 * @param before the levels that had a best setting before
 * @param used the number of tasks that stored windows in their file after the exchange
 * @param continued the levels with which the incoming version went on, out of those before
 * @param own the levels with which it went on out of its own earlier run, under a key that the outgoing version did not
 *     use
 */
record ContinuedLevels(int tasks, long before, int used, long continued, long own) {

    /**
     * Compares the files.
     *
     * @param before the files before the exchange
     * @param after the files some time after the exchange, with the windows since its beginning as recent ones
     * @param endedEpochMs when the last worker with the outgoing version had ended
     */
    static ContinuedLevels between(Map<String, Learned> before, Map<String, Learned> after, long endedEpochMs) {
        int used = 0;
        long continued = 0;
        long own = 0;
        for (Map.Entry<String, Learned> task : after.entrySet()) {
            Learned now = task.getValue();
            if (!now.isUsedSince(endedEpochMs)) {
                continue;
            }
            used++;
            Learned earlier = before.get(task.getKey());
            if (earlier != null
                    && earlier.schema() == now.schema()
                    && earlier.key().equals(now.key())) {
                continued += now.earlierLevels();
            } else {
                own += now.earlierLevels();
            }
        }
        int tasks = (int)
                before.values().stream().filter(each -> each.hasLearned(1)).count();
        long levels = before.values().stream()
                .mapToLong(each -> each.windows().size())
                .sum();
        return new ContinuedLevels(tasks, levels, used, continued, own);
    }

    /** Whether nothing was learned anew. */
    boolean isKept() {
        return before > 0 && continued >= before;
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("kept", isKept());
        json.put("tasks", tasks);
        json.put("levels_before", before);
        json.put("tasks_with_a_file_after", used);
        json.put("levels_continued", continued);
        json.put("levels_of_an_own_earlier_run", own);
        return json;
    }

    @Override
    public String toString() {
        if (before == 0) {
            return "nothing had been learned";
        }
        return isKept()
                ? "kept, " + before + " levels of " + tasks + " tasks"
                : "NOT KEPT: " + continued + " of " + before + " levels" + (own > 0 ? ", " + own + " of its own" : "");
    }
}
