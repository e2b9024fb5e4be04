package io.microbatch.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The checker is checked: each planted fault must make it fail, and say why. */
class OracleTest {

    private static final long RUN = 7;
    private static final int EVENTS = 100;

    @Test
    void isContentWithEveryEventOnceInOrder() {
        Findings found = check(stream());

        assertThat(found.isExactlyOnce()).isTrue();
        assertThat(found.events()).isEqualTo(2 * EVENTS);
        assertThat(found.unsoundPartitions()).isEmpty();
    }

    @Test
    void seesALostTailThoughItLeavesNoGap() {
        List<Event> stream = stream();
        stream.remove(event(1, EVENTS - 1));
        stream.remove(event(1, EVENTS - 2));

        Findings found = check(stream);

        assertThat(found.lost()).isEqualTo(2);
        assertThat(found.lostTail()).isEqualTo(2);
        assertThat(found.isAtLeastOnce(Long.MAX_VALUE)).isFalse();
        assertThat(found.unsoundPartitions()).containsExactly(1);
    }

    @Test
    void seesALostPartitionOfWhichNothingArrived() {
        List<Event> stream = stream();
        stream.removeIf(event -> event.partition() == 0);

        assertThat(check(stream).lost()).isEqualTo(EVENTS);
    }

    @Test
    void seesNeighboursThatChangedPlaces() {
        List<Event> stream = new ArrayList<>(lane(0));
        stream.addAll(lane(1));
        Collections.swap(stream, 40, 41);

        Findings found = check(stream);

        assertThat(found.reordered()).isEqualTo(1);
        assertThat(found.lost()).isZero();
        assertThat(found.duplicated()).isZero();
        assertThat(found.isExactlyOnce()).isFalse();
        assertThat(found.isAtLeastOnce(Long.MAX_VALUE)).isFalse();
    }

    @Test
    void doesNotMindHowSourcePartitionsInterleave() {
        List<Event> stream = new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
            stream.add(event(1, i));
            stream.add(event(0, i));
        }

        assertThat(check(stream).isExactlyOnce()).isTrue();
    }

    @Test
    void seesADuplicateRightBehindItsOriginalAndFarBehindIt() {
        List<Event> stream = stream();
        stream.add(3, stream.get(2));
        stream.add(event(0, 0));

        Findings found = check(stream);

        assertThat(found.duplicated()).isEqualTo(2);
        assertThat(found.isExactlyOnce()).isFalse();
    }

    @Test
    void isNotDeceivedByADuplicateThatMakesUpForALoss() {
        List<Event> stream = stream();
        stream.set(51, stream.get(50));

        Findings found = check(stream);

        assertThat(found.lost()).isEqualTo(1);
        assertThat(found.duplicated()).isEqualTo(1);
    }

    @Test
    void countsAStandstillInAWindowAsASecondAtMost() {
        Oracle oracle = new Oracle(RUN, EVENTS, EVENTS);
        // Two lives of a worker, neither long enough to commit an offset, with a minute between them; then all again.
        for (int number = 0; number < 60; number++) {
            oracle.saw(lane(0).get(number), number < 30 ? 1_000 + number * 10L : 61_000 + number * 10L);
        }
        for (int number = 0; number < EVENTS; number++) {
            oracle.saw(lane(0).get(number), 90_000 + number);
        }
        Findings found = oracle.findings();
        assertThat(found.windowEvents()).isEqualTo(60);
        assertThat(found.windowMs()).isEqualTo(29 * 10 + 1_000 + 29 * 10);
    }

    @Test
    void countsAReplayAsDuplicatesAndMeasuresItsWindow() {
        List<Event> stream = new ArrayList<>(lane(0).subList(0, 60));
        stream.addAll(lane(0).subList(45, EVENTS));
        stream.addAll(lane(1));

        Oracle oracle = new Oracle(RUN, EVENTS, EVENTS);
        long ms = 1_000;
        for (Event event : stream) {
            ms += 10;
            oracle.saw(event, ms);
        }
        Findings found = oracle.findings();

        assertThat(found.duplicated()).isEqualTo(15);
        assertThat(found.reordered()).isZero();
        assertThat(found.windowEvents()).isEqualTo(15);
        // From the first record of event 45 to that of event 59.
        assertThat(found.windowMs()).isEqualTo(140);
        assertThat(found.isAtLeastOnce(140)).isTrue();
        assertThat(found.isAtLeastOnce(139)).isFalse();
        assertThat(found.isExactlyOnce()).isFalse();
    }

    @Test
    void seesAReplayThatSkipsWhatWasNeverSent() {
        List<Event> stream = new ArrayList<>(lane(0).subList(0, 60));
        stream.addAll(lane(0).subList(70, EVENTS));
        stream.addAll(lane(1));

        assertThat(check(stream).lost()).isEqualTo(10);
    }

    @Test
    void tellsPhantomsFromCorruption() {
        Oracle oracle = new Oracle(RUN, EVENTS, EVENTS);
        stream().forEach(event -> oracle.saw(event, 0));
        oracle.saw(new Event(RUN + 1, 0, 5, 0), 0);
        oracle.saw(event(2, 5), 0);
        oracle.saw(event(0, EVENTS), 0);
        oracle.saw(null, 0);

        Findings found = oracle.findings();

        assertThat(found.phantom()).isEqualTo(3);
        assertThat(found.corrupt()).isEqualTo(1);
        assertThat(found.lost()).isZero();
        assertThat(found.isAtLeastOnce(Long.MAX_VALUE)).isFalse();
    }

    @Test
    void isCompleteWithTheLastEventAndNotBefore() {
        Oracle oracle = new Oracle(RUN, 2, 1);
        oracle.saw(event(0, 0), 0);
        oracle.saw(event(0, 1), 0);
        assertThat(oracle.isComplete()).isFalse();
        oracle.saw(event(0, 1), 0);
        assertThat(oracle.isComplete()).isFalse();
        oracle.saw(event(1, 0), 0);
        assertThat(oracle.isComplete()).isTrue();
    }

    static Event event(int partition, long sequence) {
        return new Event(RUN, partition, sequence, 0);
    }

    private static List<Event> lane(int partition) {
        List<Event> lane = new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
            lane.add(event(partition, i));
        }
        return lane;
    }

    private static List<Event> stream() {
        List<Event> stream = lane(0);
        stream.addAll(lane(1));
        return stream;
    }

    private static Findings check(List<Event> stream) {
        Oracle oracle = new Oracle(RUN, EVENTS, EVENTS);
        stream.forEach(event -> oracle.saw(event, 0));
        return oracle.findings();
    }
}
