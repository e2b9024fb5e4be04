package io.microbatch.bench.faults;

import io.microbatch.testbed.oracle.Oracle;
import java.util.Map;

/**
 * What became of one fault.
 *
 * @param reached whether it took place: a failpoint may not be passed
 * @param beganMs when it began
 * @param recoveryMs until every source partition had delivered a new event, from the kill or the end of the
 *     disturbance; -1 when it did not within the limit
 * @param workerKills worker processes that it ended
 * @param brokerKills broker processes that it ended
 * @param restarts how often the connector or its tasks had failed and were restarted over REST
 * @param violations how many of each kind fall into its time
 */
record FaultResult(
        Fault fault,
        boolean reached,
        long beganMs,
        long recoveryMs,
        int workerKills,
        int brokerKills,
        int restarts,
        Map<Oracle.Kind, Long> violations) {

    boolean recovered() {
        return recoveryMs >= 0;
    }

    FaultResult with(Map<Oracle.Kind, Long> found) {
        return new FaultResult(
                fault, reached, beganMs, recoveryMs, workerKills, brokerKills, restarts, Map.copyOf(found));
    }
}
