package io.microbatch.testbed.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the checker: it must detect and name each planted fault. */
class OracleTest {

    private static final long RUN = 7;
    private static final int EVENTS = 100;

    @Test
    void acceptsEveryEventOnceInOrder() {
        Findings found = check(stream());

        assertThat(found.isExactlyOnce()).isTrue();
        assertThat(found.events()).isEqualTo(2 * EVENTS);
        assertThat(found.unsoundPartitions()).isEmpty();
    }

    @Test
    void detectsALostTailWithoutAGap() {
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
    void detectsALostPartitionWithoutRecords() {
        List<Event> stream = stream();
        stream.removeIf(event -> event.partition() == 0);

        assertThat(check(stream).lost()).isEqualTo(EVENTS);
    }

    @Test
    void detectsSwappedNeighbours() {
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
    void acceptsAnyInterleavingOfSourcePartitions() {
        List<Event> stream = new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
            stream.add(event(1, i));
            stream.add(event(0, i));
        }

        assertThat(check(stream).isExactlyOnce()).isTrue();
    }

    @Test
    void detectsADuplicateRightAfterItsOriginalAndLater() {
        List<Event> stream = stream();
        stream.add(3, stream.get(2));
        stream.add(event(0, 0));

        Findings found = check(stream);

        assertThat(found.duplicated()).isEqualTo(2);
        assertThat(found.isExactlyOnce()).isFalse();
    }

    @Test
    void detectsALossWithADuplicateThatKeepsTheCount() {
        List<Event> stream = stream();
        stream.set(51, stream.get(50));

        Findings found = check(stream);

        assertThat(found.lost()).isEqualTo(1);
        assertThat(found.duplicated()).isEqualTo(1);
    }

    @Test
    void countsAStandstillInAWindowAsASecondAtMost() {
        Oracle oracle = Oracle.timed(RUN, EVENTS, EVENTS);
        // Two runs of a worker, a minute apart and too short to commit an offset, then a replay of everything.
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

        Oracle oracle = Oracle.timed(RUN, EVENTS, EVENTS);
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
    void detectsAReplayThatSkipsUnsentEvents() {
        List<Event> stream = new ArrayList<>(lane(0).subList(0, 60));
        stream.addAll(lane(0).subList(70, EVENTS));
        stream.addAll(lane(1));

        assertThat(check(stream).lost()).isEqualTo(10);
    }

    @Test
    void distinguishesPhantomsFromCorruption() {
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
    void detectsADuplicatedTailOfOneEventAndOfMany() {
        List<Event> one = stream();
        one.add(event(1, EVENTS - 1));
        assertThat(check(one).duplicated()).isEqualTo(1);
        assertThat(check(one).windowEvents()).isEqualTo(1);
        assertThat(check(one).isExactlyOnce()).isFalse();

        List<Event> many = stream();
        many.addAll(lane(1).subList(10, EVENTS));
        Findings found = check(many);
        assertThat(found.duplicated()).isEqualTo(90);
        assertThat(found.windowEvents()).isEqualTo(90);
        assertThat(found.reordered()).isZero();
        assertThat(found.isExactlyOnce()).isFalse();
    }

    @Test
    void reportsAnAlteredEventAsCorruptAndAsLost() {
        Oracle oracle = Oracle.even(1, 3);
        oracle.saw(0, 0);
        oracle.sawCorrupt();
        oracle.saw(0, 2);

        Findings found = oracle.findings();

        assertThat(found.corrupt()).isEqualTo(1);
        assertThat(found.lost()).isEqualTo(1);
        assertThat(found.foreign()).isEqualTo(1);
        assertThat(found.toString()).isEqualTo("lost 1, duplicated 0, reordered 0, phantom 0, corrupt 1");
        assertThat(found.isExactlyOnce()).isFalse();
    }

    @Test
    void returnsTheSameResultWithAndWithoutTimes() {
        Oracle oracle = Oracle.even(2, 4);
        int[][] read = {{0, 0}, {1, 0}, {0, 2}, {0, 1}, {0, 2}, {1, 1}, {1, 3}, {2, 0}, {0, 4}, {0, -1}};
        Oracle timed = Oracle.timed(RUN, 4, 4);
        for (int[] each : read) {
            oracle.saw(each[0], each[1]);
            timed.saw(event(each[0], each[1]), 0);
        }

        assertThat(oracle.findings()).isEqualTo(timed.findings());
        assertThat(oracle.findings()).isEqualTo(new Findings(8, 2, 1, 1, 1, 3, 0, 1, 0, List.of(0, 1)));
        assertThat(oracle.violations()).isEmpty();
        assertThat(timed.violations()).hasSize(7);
    }

    @Test
    void endsWithTheLastEventOfEachPartitionEvenWithGaps() {
        Oracle oracle = Oracle.even(2, 3);
        oracle.saw(0, 2);
        oracle.saw(1, 1);
        assertThat(oracle.hasEnded()).isFalse();
        assertThat(oracle.next(1)).isEqualTo(2);
        oracle.saw(1, 2);
        assertThat(oracle.hasEnded()).isTrue();
        assertThat(oracle.isComplete()).isFalse();
    }

    @Test
    void isCompleteOnlyWithTheLastMissingEvent() {
        Oracle oracle = new Oracle(RUN, 2, 1);
        oracle.saw(event(0, 0), 0);
        oracle.saw(event(0, 1), 0);
        assertThat(oracle.isComplete()).isFalse();
        oracle.saw(event(0, 1), 0);
        assertThat(oracle.isComplete()).isFalse();
        assertThat(oracle.incomplete()).containsExactly(1);
        oracle.saw(event(1, 0), 0);
        assertThat(oracle.isComplete()).isTrue();
        assertThat(oracle.incomplete()).isEmpty();
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
