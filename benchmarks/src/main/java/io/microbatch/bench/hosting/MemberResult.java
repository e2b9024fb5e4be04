package io.microbatch.bench.hosting;

import io.microbatch.bench.load.Delivery;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A connector of the matrix in one mode, plain against hosted.
 *
 * @param exact whether it resumes exactly at an offset
 * @param kills how often the worker was killed while it ran
 */
record MemberResult(
        String name,
        String connector,
        int tasks,
        Delivery mode,
        boolean exact,
        int kills,
        OneSide plain,
        OneSide hosted) {

    /**
     * What became of a connector on one side.
     *
     * @param events how many its source held
     * @param lost events that are not in Kafka
     * @param duplicated records beyond the first of their event
     * @param reordered first records of an event behind one of a later event of its source partition
     * @param altered records that do not carry what was sent, and, if hosted, events that differ from those of the
     *     plain one
     * @param failures how often a task or the connector had failed and was restarted over REST
     * @param perSec records per second, NaN where that is unknown
     * @param incomplete the source partitions that lack an event, by name
     * @param problem why it did not come to its end, empty if it did
     */
    record OneSide(
            long events,
            long lost,
            long duplicated,
            long reordered,
            long altered,
            int failures,
            double perSec,
            List<String> incomplete,
            String problem) {

        /** Every event once, in order and unaltered. */
        boolean isExact() {
            return lost == 0 && duplicated == 0 && reordered == 0 && altered == 0;
        }

        boolean hasEnded() {
            return problem.isEmpty();
        }
    }

    /** Of a member whose wave did not come to its end. */
    static MemberResult failed(Member member, Delivery mode, int kills, String problem) {
        OneSide none = new OneSide(0, 0, 0, 0, 0, 0, Double.NaN, List.of(), problem);
        return new MemberResult(
                member.name, member.connector, member.tasks, mode, member.resumesExactly, kills, none, none);
    }

    boolean isVerified() {
        return complaints().isEmpty();
    }

    /** In what hosting is worse than running the connector plain, or breaks what is promised. Empty if in nothing. */
    List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        if (!hosted.hasEnded()) {
            complaints.add(hosted.problem());
        }
        if (hosted.lost() > plain.lost()) {
            complaints.add("loses " + hosted.lost() + ", plain " + plain.lost());
        }
        if (hosted.reordered() > plain.reordered()) {
            complaints.add("reorders " + hosted.reordered() + ", plain " + plain.reordered());
        }
        if (hosted.altered() > 0) {
            complaints.add("alters " + hosted.altered());
        }
        if (hosted.failures() > 0 && plain.failures() == 0) {
            complaints.add("fails " + hosted.failures() + " times, plain never");
        }
        if (hosted.events() == 0) {
            complaints.add("had no events");
        } else if (plain.lost() == plain.events()) {
            complaints.add("cannot be compared: plain delivered nothing");
        }
        if (exact && mode == Delivery.EXACTLY_ONCE && !hosted.isExact()) {
            complaints.add("is not exactly once");
        }
        return complaints;
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", name);
        json.put("connector", connector);
        json.put("tasks", tasks);
        json.put("mode", mode.text());
        json.put("resumes_exactly", exact);
        json.put("verified", isVerified());
        json.put("events", hosted.events());
        json.put("kills", kills);
        put(json, "", hosted);
        put(json, "plain_", plain);
        json.put("complaints", complaints());
        return json;
    }

    private static void put(Map<String, Object> json, String prefix, OneSide outcome) {
        json.put(prefix + "lost", outcome.lost());
        json.put(prefix + "duplicated", outcome.duplicated());
        json.put(prefix + "reordered", outcome.reordered());
        json.put(prefix + "altered", outcome.altered());
        json.put(prefix + "failures", outcome.failures());
        if (!Double.isNaN(outcome.perSec())) {
            json.put(prefix + "per_s", Math.round(outcome.perSec()));
        }
        if (!outcome.incomplete().isEmpty()) {
            json.put(prefix + "incomplete", outcome.incomplete());
        }
        if (!outcome.hasEnded()) {
            json.put(prefix + "problem", outcome.problem());
        }
    }
}
