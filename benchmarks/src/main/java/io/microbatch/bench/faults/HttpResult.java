package io.microbatch.bench.faults;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What clients were told, compared with the topic. With a key an event may take several requests.
 *
 * @param ok requests that were answered with 200
 * @param notWritten those that were refused
 * @param unknown those without an answer, or with one that leaves it open
 * @param ackedLost events that were answered with 200 and are not there
 * @param ackedDuplicated records beyond the first of an event that was answered with 200
 * @param otherDuplicated the same of events whose request was refused or has no known outcome
 * @param refusedPresent events that are there though they were refused
 * @param torn requests of which a part is there
 * @param hung requests without an answer for longer than their timeout and a second
 */
record HttpResult(
        long ok,
        long notWritten,
        long unknown,
        long ackedLost,
        long ackedDuplicated,
        long otherDuplicated,
        long refusedPresent,
        long torn,
        long hung) {

    private static final HttpResult NONE = new HttpResult(0, 0, 0, 0, 0, 0, 0, 0, 0);

    /**
     * Whether no answer was false and none is missing. Repetitions and torn requests are judged by the mode of the
     * round.
     */
    boolean isVerified() {
        return ackedLost == 0 && refusedPresent == 0 && hung == 0;
    }

    static HttpResult sum(List<HttpResult> results) {
        return results.stream().reduce(NONE, HttpResult::plus);
    }

    private HttpResult plus(HttpResult other) {
        return new HttpResult(
                ok + other.ok,
                notWritten + other.notWritten,
                unknown + other.unknown,
                ackedLost + other.ackedLost,
                ackedDuplicated + other.ackedDuplicated,
                otherDuplicated + other.otherDuplicated,
                refusedPresent + other.refusedPresent,
                torn + other.torn,
                hung + other.hung);
    }

    /** A new map. */
    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("acked_lost", ackedLost);
        json.put("acked_duplicated", ackedDuplicated);
        json.put("other_duplicated", otherDuplicated);
        json.put("refused_present", refusedPresent);
        json.put("torn", torn);
        json.put("hung", hung);
        json.put("ok", ok);
        json.put("not_written", notWritten);
        json.put("unknown", unknown);
        return json;
    }

    @Override
    public String toString() {
        return ok + " ok, " + notWritten + " not written, " + unknown + " unknown; ok and lost " + ackedLost
                + ", ok and duplicated " + ackedDuplicated + ", other and duplicated " + otherDuplicated
                + ", refused and there " + refusedPresent + ", torn " + torn
                + ", hung " + hung;
    }
}
