package io.microbatch.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.http.Ledger;
import io.microbatch.bench.http.Outcome;
import io.microbatch.testbed.oracle.Event;
import io.microbatch.testbed.oracle.Findings;
import io.microbatch.testbed.oracle.Oracle;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AnsweredEventsTest {

    private static final long RUN = 7;

    private final Ledger ledger = new Ledger(2);
    private AnsweredEvents answered;
    private Oracle oracle;

    @BeforeEach
    void clientsEnded() {
        for (Outcome outcome : new Outcome[] {Outcome.WRITTEN, Outcome.NOT_WRITTEN, Outcome.UNKNOWN, Outcome.WRITTEN}) {
            ledger.end(0, ledger.begin(0), outcome);
        }
        ledger.end(1, ledger.begin(1), Outcome.WRITTEN);
        answered = new AnsweredEvents(RUN, ledger, 1);
        oracle = Oracle.timed(RUN, answered.expected());
    }

    @Test
    void expectsWhatWasAnsweredAndAllowsWhatIsUnknown() {
        show(0, 0);
        show(0, 2);
        show(1, 0);
        show(0, 3);

        assertThat(answered.expected()).containsExactly(2, 1);
        assertThat(oracle.findings().isExactlyOnce()).isTrue();
        assertThat(result()).isEqualTo(new HttpResult(3, 1, 1, 0, 0, 0, 0, 0, 0));
        assertThat(result().isVerified()).isTrue();
    }

    @Test
    void findsWhatIsLostRepeatedAndOutOfOrder() {
        show(0, 3);
        show(0, 0);
        show(0, 0);
        Findings found = oracle.findings();

        assertThat(found.reordered()).isEqualTo(1);
        assertThat(result()).isEqualTo(new HttpResult(3, 1, 1, 1, 1, 0, 0, 0, 0));
        assertThat(result().isVerified()).isFalse();
    }

    @Test
    void findsWhatIsThereThoughItWasRefused() {
        show(0, 0);
        show(0, 1);
        show(0, 3);
        show(1, 0);

        assertThat(oracle.findings().isExactlyOnce()).isTrue();
        assertThat(result()).isEqualTo(new HttpResult(3, 1, 1, 0, 0, 0, 1, 0, 0));
        assertThat(result().isVerified()).isFalse();
    }

    @Test
    void findsWhatIsThereTwiceThoughItsOutcomeIsUnknown() {
        for (int number : new int[] {0, 2, 2, 3}) {
            show(0, number);
        }
        show(1, 0);

        assertThat(oracle.findings().isExactlyOnce()).isTrue();
        assertThat(result()).isEqualTo(new HttpResult(3, 1, 1, 0, 0, 1, 0, 0, 0));
    }

    @Test
    void findsWhatNoClientHasSent() {
        show(0, 4);
        show(2, 0);
        answered.show(null, 5, oracle);
        answered.show(new Event(RUN + 1, 0, 0, 1), 5, oracle);

        assertThat(oracle.findings().phantom()).isEqualTo(3);
        assertThat(oracle.findings().corrupt()).isEqualTo(1);
    }

    @Test
    void isNotVerifiedWithARequestThatHangs() {
        assertThat(new HttpResult(3, 1, 1, 0, 0, 0, 0, 0, 1).isVerified()).isFalse();
    }

    @Test
    void findsARequestThatIsThereInPart() {
        answered = new AnsweredEvents(RUN, ledger, 2);
        oracle = Oracle.timed(RUN, answered.expected());
        // Of client 0 the requests 0 and 3 were written, and 2 is unknown.
        for (int sequence : new int[] {0, 1, 4, 6, 7}) {
            show(0, sequence);
        }
        show(1, 0);
        show(1, 1);

        assertThat(answered.expected()).containsExactly(4, 2);
        assertThat(oracle.findings().isExactlyOnce()).isTrue();
        assertThat(result()).isEqualTo(new HttpResult(3, 1, 1, 0, 0, 0, 0, 1, 0));
        show(0, 5);
        assertThat(result().torn()).isZero();
    }

    private void show(int client, int number) {
        answered.show(new Event(RUN, client, number, 1), 5, oracle);
    }

    private HttpResult result() {
        return answered.result(oracle.findings(), outcome -> new long[] {3, 1, 1}[outcome], 0);
    }
}
