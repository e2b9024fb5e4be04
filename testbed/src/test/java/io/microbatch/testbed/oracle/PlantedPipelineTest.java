package io.microbatch.testbed.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A minimal source pipeline with bugs that real pipelines have had, and a crash in the middle. The oracle must detect
 * the effect of each bug, and nothing in the pipeline without a bug.
 */
class PlantedPipelineTest {

    private static final int EVENTS = 200;
    private static final int BATCH = 10;
    /** In the middle of a batch: Kafka has some of its records. */
    private static final int CRASH_AFTER = 95;

    private enum Bug {
        NONE,
        /** A record counts as acknowledged when it is passed to the producer. */
        ACKNOWLEDGED_BEFORE_KAFKA,
        /** The upstream discards events when they are polled, instead of when they are durable. */
        UPSTREAM_CONFIRMED_AT_POLL,
        /** Every record of a batch carries the batch's last offset. */
        BATCH_END_OFFSETS,
        /** Equal records share one acknowledgement, so that the second is confused with the first. */
        VALUE_EQUAL_RECORDS
    }

    @Test
    void aCorrectPipelineRepeatsAndLosesNothing() {
        Findings found = crash(Bug.NONE);

        assertThat(found.isAtLeastOnce(Long.MAX_VALUE)).isTrue();
        assertThat(found.duplicated()).isEqualTo(5);
    }

    @Test
    void anAcknowledgementBeforeKafkaIsALoss() {
        assertThat(crash(Bug.ACKNOWLEDGED_BEFORE_KAFKA).lost()).isEqualTo(5);
    }

    @Test
    void anUpstreamThatIsConfirmedAtPollTimeIsALoss() {
        assertThat(crash(Bug.UPSTREAM_CONFIRMED_AT_POLL).lost()).isEqualTo(5);
    }

    @Test
    void offsetsOfTheBatchEndOnEarlyRecordsAreALoss() {
        assertThat(crash(Bug.BATCH_END_OFFSETS).lost()).isEqualTo(5);
    }

    @Test
    void valueEqualRecordsThatAreTakenForOneAreALoss() {
        Findings found = crash(Bug.VALUE_EQUAL_RECORDS);

        assertThat(found.lost()).isPositive();
        assertThat(found.isAtLeastOnce(Long.MAX_VALUE)).isFalse();
    }

    private static Findings crash(Bug bug) {
        List<Event> topic = new ArrayList<>();
        long committed = run(bug, 0, CRASH_AFTER, topic);
        long end = run(bug, committed, Long.MAX_VALUE, topic);
        assertThat(end).isEqualTo(EVENTS);
        Oracle oracle = new Oracle(7, EVENTS);
        topic.forEach(event -> oracle.saw(event, 0));
        return oracle.findings();
    }

    /**
     * Polls from an offset until Kafka has this number of records. Returns the offset at which the next start resumes.
     */
    private static long run(Bug bug, long from, long crashAfter, List<Event> topic) {
        long committed = from;
        long taken = 0;
        for (long first = from; first < EVENTS; first += BATCH) {
            long next = Math.min(first + BATCH, EVENTS);
            if (bug == Bug.ACKNOWLEDGED_BEFORE_KAFKA || bug == Bug.UPSTREAM_CONFIRMED_AT_POLL) {
                committed = next;
            }
            Map<Long, Event> equal = new HashMap<>();
            for (long sequence = first; sequence < next; sequence++) {
                if (taken == crashAfter) {
                    return committed;
                }
                // The bug cannot distinguish the two records of a pair.
                boolean swallowed = bug == Bug.VALUE_EQUAL_RECORDS
                        && equal.putIfAbsent(sequence / 2, OracleTest.event(0, sequence)) != null;
                if (!swallowed) {
                    topic.add(OracleTest.event(0, sequence));
                    taken++;
                }
                if (bug == Bug.BATCH_END_OFFSETS) {
                    committed = next;
                }
            }
            // The offset flush comes after the whole batch.
            committed = next;
        }
        return committed;
    }
}
