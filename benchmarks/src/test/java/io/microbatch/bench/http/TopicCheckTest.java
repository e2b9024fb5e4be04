package io.microbatch.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.http.TopicCheck.Found;
import org.junit.jupiter.api.Test;

class TopicCheckTest {

    private final Ledger ledger = new Ledger(2);

    @Test
    void findsNothingWhereEveryAnswerWasTrue() {
        request(0, Outcome.WRITTEN);
        request(0, Outcome.NOT_WRITTEN);
        request(0, Outcome.UNKNOWN);
        request(0, Outcome.UNKNOWN);
        request(1, Outcome.WRITTEN);
        TopicCheck check = new TopicCheck(ledger, 2);
        both(check, 0, 0);
        both(check, 1, 0);
        both(check, 0, 2);

        assertThat(check.found()).isEqualTo(new Found(4, 0, 0, 0, 0, 0, 0));
        assertThat(check.found().isExactlyOnce()).isTrue();
    }

    @Test
    void findsWhatIsLostThoughItWasAnswered() {
        request(0, Outcome.WRITTEN);
        request(0, Outcome.WRITTEN);
        TopicCheck check = new TopicCheck(ledger, 2);
        both(check, 0, 0);
        check.saw(0, 1, 1);

        assertThat(check.found()).isEqualTo(new Found(4, 1, 0, 0, 0, 0, 0));
        assertThat(check.found().isAtLeastOnce()).isFalse();
    }

    @Test
    void findsWhatIsThereThoughItWasRefused() {
        request(0, Outcome.NOT_WRITTEN);
        TopicCheck check = new TopicCheck(ledger, 2);
        check.saw(0, 0, 0);

        assertThat(check.found()).isEqualTo(new Found(0, 0, 0, 0, 1, 0, 0));
        assertThat(check.found().isAtLeastOnce()).isFalse();
    }

    @Test
    void findsRepetitionsAndPartsWhichOnlyAtLeastOnceAllows() {
        request(0, Outcome.WRITTEN);
        request(0, Outcome.UNKNOWN);
        TopicCheck check = new TopicCheck(ledger, 2);
        both(check, 0, 0);
        both(check, 0, 0);
        check.saw(0, 1, 0);

        assertThat(check.found()).isEqualTo(new Found(2, 0, 2, 0, 0, 1, 0));
        assertThat(check.found().isAtLeastOnce()).isTrue();
        assertThat(check.found().isExactlyOnce()).isFalse();
    }

    @Test
    void findsTheOrderOfAClientBroken() {
        request(0, Outcome.WRITTEN);
        request(0, Outcome.WRITTEN);
        request(1, Outcome.WRITTEN);
        TopicCheck check = new TopicCheck(ledger, 2);
        both(check, 0, 1);
        both(check, 1, 0);
        both(check, 0, 0);

        assertThat(check.found()).isEqualTo(new Found(6, 0, 0, 2, 0, 0, 0));
        assertThat(check.found().isAtLeastOnce()).isFalse();
    }

    @Test
    void findsWhatNoClientHasSent() {
        request(0, Outcome.WRITTEN);
        TopicCheck check = new TopicCheck(ledger, 2);
        both(check, 0, 0);
        check.saw(0, 1, 0);
        check.saw(2, 0, 0);
        check.saw(0, 0, 2);
        check.sawForeign();

        assertThat(check.found()).isEqualTo(new Found(2, 0, 0, 0, 0, 0, 4));
        assertThat(check.found().isAtLeastOnce()).isFalse();
    }

    @Test
    void keepsEveryOutcomeOfManyRequests() {
        for (int i = 0; i < 5_000; i++) {
            request(1, i % 3 == 0 ? Outcome.WRITTEN : Outcome.NOT_WRITTEN);
        }

        assertThat(ledger.requests(0)).isZero();
        assertThat(ledger.requests(1)).isEqualTo(5_000);
        assertThat(ledger.outcome(1, 4_998)).isEqualTo(Outcome.WRITTEN);
        assertThat(ledger.outcome(1, 4_999)).isEqualTo(Outcome.NOT_WRITTEN);
        assertThat(new TopicCheck(ledger, 1).found().lost()).isEqualTo(1_667);
    }

    private void request(int client, Outcome outcome) {
        ledger.end(client, ledger.begin(client), outcome);
    }

    private static void both(TopicCheck check, int client, int request) {
        check.saw(client, request, 0);
        check.saw(client, request, 1);
    }
}
