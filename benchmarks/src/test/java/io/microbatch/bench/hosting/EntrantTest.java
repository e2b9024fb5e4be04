package io.microbatch.bench.hosting;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EntrantTest {

    private final FakeMember member = new FakeMember("fake", Duration.ofSeconds(30), FakeMember.EVENTS);
    private long nowNanos = Long.MAX_VALUE - 1_000;
    private final Entrant entrant = new Entrant(member, Side.HOSTED, () -> nowNanos);

    private void after(long seconds, long committed) {
        nowNanos += TimeUnit.SECONDS.toNanos(seconds);
        entrant.saw(committed);
    }

    @Test
    void hasAdvancedOnlyBeyondWhereItWas() {
        assertThat(entrant.connector()).isEqualTo("fake-hosted");
        assertThat(entrant.hasAdvanced()).isFalse();
        after(1, 10);
        assertThat(entrant.hasAdvanced()).isTrue();
        entrant.mustAdvance();
        after(1, 10);
        assertThat(entrant.hasAdvanced()).isFalse();
        after(1, 11);
        assertThat(entrant.hasAdvanced()).isTrue();
    }

    @Test
    void isReadWhenItsTopicsHaveSettledAndAgainWhenTheyChanged() {
        after(1, 10);
        assertThat(entrant.isWorthReading()).isFalse();
        after(3, 10);
        assertThat(entrant.isWorthReading()).isTrue();
        entrant.wasRead(false);
        after(1, 10);
        assertThat(entrant.isWorthReading()).as("read already").isFalse();
        after(1, 11);
        assertThat(entrant.isWorthReading()).as("not settled").isFalse();
        after(3, 11);
        assertThat(entrant.isWorthReading()).as("changed and settled").isTrue();
        entrant.wasRead(false);
        after(7, 11);
        assertThat(entrant.isWorthReading())
                .as("what is missing may be in another topic")
                .isTrue();
        entrant.wasRead(true);
        after(7, 12);
        assertThat(entrant.isWorthReading()).as("complete").isFalse();
        assertThat(entrant.isDone()).isTrue();
        assertThat(entrant.isComplete()).isTrue();
    }

    @Test
    void isStalledWhenNothingChangesForItsPatienceAndItWasLookedAt() {
        after(1, 10);
        nowNanos += TimeUnit.SECONDS.toNanos(60);
        assertThat(entrant.isStalled()).as("nobody has looked").isFalse();
        entrant.saw(10);
        assertThat(entrant.isStalled()).isTrue();
        entrant.beginPatience();
        after(30, 10);
        assertThat(entrant.isStalled()).isFalse();
        after(1, 10);
        assertThat(entrant.isStalled()).isTrue();
        after(1, 11);
        assertThat(entrant.isStalled()).isFalse();
    }

    @Test
    void keepsItsFirstProblemAndCountsItsFailures() {
        assertThat(entrant.isDone()).isFalse();
        entrant.failed();
        entrant.failed();
        entrant.trouble("first");
        entrant.trouble("second");
        Delivered delivered = member.delivered(Side.HOSTED, null);
        delivered.saw(Records.record("key", "altered"), null);

        MemberResult.OneSide result = entrant.result(delivered, 2);

        assertThat(entrant.isDone()).isTrue();
        assertThat(entrant.isComplete()).isFalse();
        assertThat(result.problem()).isEqualTo("first");
        assertThat(result.failures()).isEqualTo(2);
        assertThat(result.events()).isEqualTo(FakeMember.EVENTS);
        assertThat(result.altered())
                .as("one of its own and two of the comparison")
                .isEqualTo(3);
        assertThat(result.lost()).isZero();
        assertThat(result.incomplete()).isEmpty();
    }
}
