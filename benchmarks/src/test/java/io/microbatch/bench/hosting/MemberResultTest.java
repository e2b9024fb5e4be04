package io.microbatch.bench.hosting;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.load.Delivery;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemberResultTest {

    private static final long EVENTS = 100;

    private static MemberResult.OneSide outcome(long lost, long duplicated, long reordered, long altered) {
        return new MemberResult.OneSide(EVENTS, lost, duplicated, reordered, altered, 0, Double.NaN, List.of(), "");
    }

    private static final MemberResult.OneSide SOUND = outcome(0, 0, 0, 0);

    private static MemberResult result(
            Delivery mode, boolean exact, MemberResult.OneSide plain, MemberResult.OneSide hosted) {
        return new MemberResult("name", "connector", 1, mode, exact, 1, plain, hosted);
    }

    @Test
    void isVerifiedWhereBothAreSound() {
        assertThat(result(Delivery.EXACTLY_ONCE, true, SOUND, SOUND).isVerified())
                .isTrue();
    }

    @Test
    void isNotVerifiedWhereHostingLosesMore() {
        MemberResult result = result(Delivery.AT_LEAST_ONCE, false, outcome(1, 0, 0, 0), outcome(2, 0, 0, 0));
        assertThat(result.complaints()).containsExactly("loses 2, plain 1");
        assertThat(result(Delivery.AT_LEAST_ONCE, false, outcome(2, 0, 0, 0), outcome(2, 0, 0, 0))
                        .isVerified())
                .isTrue();
    }

    @Test
    void allowsDuplicatesUnlessTheConnectorResumesExactlyUnderExactlyOnce() {
        MemberResult.OneSide twice = outcome(0, 1, 0, 0);
        assertThat(result(Delivery.AT_LEAST_ONCE, true, SOUND, twice).isVerified())
                .isTrue();
        assertThat(result(Delivery.EXACTLY_ONCE, false, SOUND, twice).isVerified())
                .isTrue();
        assertThat(result(Delivery.EXACTLY_ONCE, true, SOUND, twice).isVerified())
                .isFalse();
        assertThat(result(Delivery.EXACTLY_ONCE, true, twice, twice).isVerified())
                .isFalse();
    }

    @Test
    void isNotVerifiedWhereHostingReordersMoreOrAltersAnything() {
        assertThat(result(Delivery.AT_LEAST_ONCE, false, SOUND, outcome(0, 0, 1, 0))
                        .isVerified())
                .isFalse();
        MemberResult.OneSide altered = outcome(0, 0, 0, 1);
        assertThat(result(Delivery.AT_LEAST_ONCE, false, altered, altered).isVerified())
                .isFalse();
    }

    @Test
    void isNotVerifiedWhereTheHostedOneHangsOrFailsAlone() {
        MemberResult.OneSide hangs = new MemberResult.OneSide(EVENTS, 0, 0, 0, 0, 0, Double.NaN, List.of(), "hangs");
        assertThat(result(Delivery.AT_LEAST_ONCE, false, hangs, hangs).complaints())
                .containsExactly("hangs");
        assertThat(result(Delivery.AT_LEAST_ONCE, false, hangs, SOUND).isVerified())
                .isTrue();
        MemberResult.OneSide failed = new MemberResult.OneSide(EVENTS, 0, 0, 0, 0, 1, Double.NaN, List.of(), "");
        assertThat(result(Delivery.AT_LEAST_ONCE, false, SOUND, failed).isVerified())
                .isFalse();
        assertThat(result(Delivery.AT_LEAST_ONCE, false, failed, failed).isVerified())
                .isTrue();
    }

    @Test
    void isNotVerifiedWhereNothingWasThereToBring() {
        MemberResult.OneSide none = new MemberResult.OneSide(0, 0, 0, 0, 0, 0, Double.NaN, List.of(), "");
        assertThat(result(Delivery.EXACTLY_ONCE, true, none, none).isVerified()).isFalse();
    }

    /** Altered events are found by comparison. */
    @Test
    void isNotVerifiedWhereThePlainOneHasDeliveredNothing() {
        assertThat(result(Delivery.AT_LEAST_ONCE, false, outcome(EVENTS, 0, 0, 0), SOUND)
                        .complaints())
                .containsExactly("cannot be compared: plain delivered nothing");
    }

    @Test
    void namesTheSourcePartitionsThatLackEvents() {
        MemberResult.OneSide lacking =
                new MemberResult.OneSide(EVENTS, 1, 0, 0, 0, 0, Double.NaN, List.of("orders"), "hangs");
        assertThat(result(Delivery.EXACTLY_ONCE, true, lacking, SOUND).toJson())
                .containsEntry("plain_incomplete", List.of("orders"))
                .doesNotContainKey("incomplete");
    }

    @Test
    void saysAllFigures() {
        assertThat(result(Delivery.EXACTLY_ONCE, true, outcome(1, 2, 3, 4), outcome(5, 6, 7, 8))
                        .toJson())
                .containsEntry("plain_lost", 1L)
                .containsEntry("plain_duplicated", 2L)
                .containsEntry("lost", 5L)
                .containsEntry("duplicated", 6L)
                .containsEntry("reordered", 7L)
                .containsEntry("altered", 8L)
                .containsEntry("mode", "exactly-once")
                .containsEntry("verified", false);
    }
}
