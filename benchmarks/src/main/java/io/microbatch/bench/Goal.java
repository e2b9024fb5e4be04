package io.microbatch.bench;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What a contender is to reach within one run.
 *
 * @param value what was measured; not a number where a contender had no verified turn
 * @param isUpper whether the limit is the most that is allowed
 */
public record Goal(String name, double value, double limit, boolean isUpper) {

    /** Whether it is reached. A goal without a value is not. */
    public boolean isMet() {
        return isUpper ? value <= limit : value >= limit;
    }

    /** A line for people. */
    public String text() {
        String bound = isUpper ? "at most " : "at least ";
        return String.format(Locale.ROOT, "%s: %.2f, %s%.2f", name, value, bound, limit) + (isMet() ? "" : ", MISSED");
    }

    /** As a result has it. The measured value has the key that the caller names, null if it is not finite. */
    public Map<String, Object> toJson(String valueKey) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("goal", name);
        json.put(valueKey, Double.isFinite(value) ? (Double) value : null);
        json.put(isUpper ? "at_most" : "at_least", limit);
        json.put("met", isMet());
        return json;
    }
}
