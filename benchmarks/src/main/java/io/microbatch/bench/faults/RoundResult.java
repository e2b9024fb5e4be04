package io.microbatch.bench.faults;

import io.microbatch.bench.load.Delivery;
import io.microbatch.testbed.oracle.Findings;
import java.util.List;
import java.util.Optional;

/**
 * What became of a round.
 *
 * @param http what clients were told, compared with the topic; empty without clients
 * @param outbox what became of the rows of an outbox; empty without one
 * @param aborted records that lie in aborted transactions: a fault hit an open one
 * @param allowedWindowMs how long a repeated stretch may be in at-least-once mode
 * @param interventions what the run did to Kafka so that it went on, beyond restarting over REST what had failed
 * @param problem what kept the round from its end; empty if nothing did
 */
record RoundResult(
        Round round,
        String name,
        Findings findings,
        Optional<HttpResult> http,
        Optional<OutboxResult> outbox,
        long aborted,
        long allowedWindowMs,
        List<FaultResult> faults,
        List<String> interventions,
        String problem) {

    boolean isVerified() {
        if (!problem.isEmpty() || faults.stream().anyMatch(fault -> !fault.recovered())) {
            return false;
        }
        if (round.planted()) {
            return findings.lost() > 0
                    && findings.duplicated() > 0
                    && findings.reordered() > 0
                    && findings.corrupt() > 0;
        }
        if (!http.map(HttpResult::isVerified).orElse(true)) {
            return false;
        }
        // The findings are of events that were answered with 200. The broker may have others, but never twice.
        boolean isOnceAndWhole = http.map(result -> result.torn() == 0 && result.otherDuplicated() == 0)
                .orElse(true);
        return round.mode() == Delivery.EXACTLY_ONCE
                ? findings.isExactlyOnce() && isOnceAndWhole
                : findings.isAtLeastOnce(allowedWindowMs);
    }
}
