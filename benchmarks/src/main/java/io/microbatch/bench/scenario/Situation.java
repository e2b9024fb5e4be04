package io.microbatch.bench.scenario;

import io.microbatch.bench.profile.Workload;

/**
 * What a row of a result is about. Immutable.
 *
 * @param key what differs from row to row, with its unit
 * @param value how it is in this one
 * @param workload what is sent in it
 * @param ratePerSec at which of the workload's rates
 */
record Situation(String key, Object value, Workload workload, int ratePerSec) {

    String text() {
        return key.replace('_', ' ') + " " + value
                + (key.equals("rate") ? "" : ", " + (ratePerSec == 0 ? "saturated" : ratePerSec + "/s"));
    }
}
