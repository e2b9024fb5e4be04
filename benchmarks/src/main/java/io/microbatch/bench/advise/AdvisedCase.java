package io.microbatch.bench.advise;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An advice, and what came of it. Immutable.
 *
 * @param stream what was advised
 * @param advice as the console gave it
 * @param before the stream before the advice
 * @param after the stream with the advice; the same where the advice changes nothing
 * @param tried the stream with each other setting that was tried, by its name
 */
record AdvisedCase(AdvisedStream stream, JsonNode advice, Outcome before, Outcome after, Map<String, Outcome> tried) {

    static final String BEFORE = "before";
    static final String ADVISED = "advised";

    /** What the advice says of itself: of the change, or of the present setting where it changes nothing. */
    private JsonNode prediction() {
        return advice.path(StreamRun.isNone(advice.path("change")) ? "now" : "then");
    }

    String verdict() {
        return advice.path("verdict").asText();
    }

    double predictedP99Ms() {
        return prediction().path("p99_ms").asDouble(Double.NaN);
    }

    double predictedTps() {
        return prediction().path("transactions_per_s").asDouble(Double.NaN);
    }

    /** By which factor the p99 is larger or smaller than predicted. Not a number without a prediction. */
    double p99Factor() {
        return factor(predictedP99Ms(), after.p99Ms());
    }

    /** The same for transactions a second. Not a number without transactions. */
    double tpsFactor() {
        return factor(predictedTps(), after.tps());
    }

    private static double factor(double predicted, double measured) {
        return predicted > 0 && measured > 0 ? Math.max(predicted / measured, measured / predicted) : Double.NaN;
    }

    /** How many times as bad it is as before the advice. */
    double worse() {
        return after.timesAsBadAs(before, stream.goalMs());
    }

    /** How many times as bad it is as the best setting of all. */
    double regret() {
        return after.timesAsBadAs(all().get(best()), stream.goalMs());
    }

    /** The setting that the advice looks worst against. The advice itself if it looks worse than none. */
    String best() {
        Comparator<Map.Entry<String, Outcome>> byRegret =
                Comparator.comparingDouble(each -> after.timesAsBadAs(each.getValue(), stream.goalMs()));
        return all().entrySet().stream()
                .max(byRegret)
                .filter(worst -> byRegret.compare(worst, Map.entry(ADVISED, after)) > 0)
                .map(Map.Entry::getKey)
                .orElse(ADVISED);
    }

    private Map<String, Outcome> all() {
        Map<String, Outcome> all = new LinkedHashMap<>();
        all.put(BEFORE, before);
        all.put(ADVISED, after);
        all.putAll(tried);
        return all;
    }

    /** As a result file has it. A regret that is infinite is null. */
    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("stream", stream.name());
        json.put("place", stream.place().text());
        json.put("delivery", stream.delivery().text());
        json.put("rate", stream.perSec());
        json.put("bytes", stream.bytes());
        json.put("hosted", stream.hosted());
        json.put("goal_ms", stream.goalMs());
        json.put("before", stream.options());
        json.put("advice", verdict());
        json.put("summary", advice.path("summary").asText());
        json.put("evidence", advice.path("evidence"));
        json.put("set", advice.path("change").path("set"));
        json.put("remove", advice.path("change").path("remove"));
        json.put("wrap", advice.path("change").path("wrap").asBoolean());
        json.put("predicted_p99_ms", Outcome.number(predictedP99Ms()));
        json.put("p99_ms", Outcome.number(after.p99Ms()));
        json.put("predicted_tps", Outcome.number(predictedTps()));
        json.put("tps", Outcome.number(after.tps()));
        json.put("regret", Outcome.number(regret()));
        json.put("best", best());
        json.put("times_as_bad_as_before", Outcome.number(worse()));
        Map<String, Object> outcomes = new LinkedHashMap<>();
        all().forEach((name, outcome) -> outcomes.put(name, outcome.toJson()));
        json.put("outcomes", outcomes);
        return json;
    }
}
