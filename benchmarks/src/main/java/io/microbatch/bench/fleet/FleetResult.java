package io.microbatch.bench.fleet;

import io.microbatch.testbed.oracle.Findings;
import java.util.Map;

/**
 * One turn of a contender.
 *
 * @param findings what the check of every event found
 * @param problem why the turn did not come to its end; empty if it did
 * @param figures the measured figures by their keys in results; see {@link FleetFigure}
 */
record FleetResult(Findings findings, String problem, Map<FleetFigure, Double> figures) {

    boolean isVerified() {
        return problem.isEmpty() && findings.isExactlyOnce();
    }

    /** What was found, in words. */
    String text() {
        return findings + (problem.isEmpty() ? "" : ", " + problem);
    }
}
