package io.microbatch.connect.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReaderFailureTest {

    private final LogLines log = new LogLines();
    private final ReaderFailure failure = new ReaderFailure(log.logger());

    /** Connect does not poll a paused task, and a stop then loses the failure. */
    @Test
    void warnsBeforeThePollThatReportsIt() {
        InterruptedException cause = new InterruptedException("by the upstream itself");
        failure.thrown(cause, false);
        assertThat(failure.cause()).isSameAs(cause);
        assertThat(log.written())
                .containsExactly("warn The upstream of this task has failed; the task reports it at its next poll "
                        + "with by the upstream itself");
    }

    @Test
    void doesNotWarnOfAFailureAfterTheRequestToStop() {
        IllegalStateException cause = new IllegalStateException("connection closed");
        failure.thrown(cause, true);
        assertThat(failure.cause()).isSameAs(cause);
        assertThat(log.written())
                .containsExactly(
                        "debug The upstream of this task has failed while the task stops with connection closed");
    }

    @Test
    void takesAnInterruptionAfterTheRequestToStopForNoFailure() {
        failure.thrown(new InterruptedException("the stripe is closed"), true);
        assertThat(failure.cause()).isNull();
        assertThat(log.written()).isEmpty();
    }
}
