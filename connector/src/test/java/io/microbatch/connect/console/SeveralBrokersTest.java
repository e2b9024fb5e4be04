package io.microbatch.connect.console;

import static io.microbatch.connect.console.AdvisorCase.PLAIN;
import static io.microbatch.connect.console.AdvisorCase.advise;
import static io.microbatch.connect.console.AdvisorCase.config;
import static io.microbatch.connect.console.AdvisorCase.exactlyOnce;
import static io.microbatch.connect.console.AdvisorCase.interval;
import static io.microbatch.connect.console.AdvisorCase.intervalAndLinger;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where a producer sends to several brokers, a linger raises the p99 of a transaction, and so does hosting. */
class SeveralBrokersTest {

    private static final Map<String, String> INTERVAL_80 =
            config(PLAIN, "transaction.boundary", "interval", "transaction.boundary.interval.ms", "80");

    @Test
    void anIntervalGetsNoLinger() {
        assertThat(polls(1).change()).isEqualTo(intervalAndLinger("90"));
        Advice several = polls(3);
        assertThat(several.change()).isEqualTo(interval("90"));
        assertThat(several.summary()).contains("not advised where the producer sends to several brokers");
        assertThat(several.evidence())
                .anySatisfy(each -> assertThat(each.what()).isEqualTo("brokers that the producer sends to"));
    }

    @Test
    void anIntervalThatFitsGetsNoLingerLater() {
        assertThat(fits(1).verdict()).isEqualTo(Verdict.SET);
        assertThat(fits(2).verdict()).isEqualTo(Verdict.LEAVE);
    }

    @Test
    void hostingNeedsAnotherBackOffOfTheBrokers() {
        String key = "add.partitions.to.txn.retry.backoff.ms";
        assertThat(polls(1).alternatives()).noneMatch(other -> other.summary().contains(key));
        assertThat(polls(3).alternatives()).anyMatch(other -> other.summary().contains(key));
        Advice hosting = advise(exactlyOnce(300, 1, 1, 3.2, Figure.PRODUCER_BROKERS, 3), config(PLAIN), "RUNNING", 10);
        assertThat(hosting.verdict()).isEqualTo(Verdict.WRAP);
        assertThat(hosting.summary()).contains(key);
    }

    private static Advice polls(int brokers) {
        return advise(exactlyOnce(1_000, 1, 1, 1, Figure.PRODUCER_BROKERS, brokers), config(PLAIN), "RUNNING", 100);
    }

    private static Advice fits(int brokers) {
        return advise(exactlyOnce(1_000, 1, 80, 4, Figure.PRODUCER_BROKERS, brokers), INTERVAL_80, "RUNNING", 100);
    }
}
