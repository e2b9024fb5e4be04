package io.microbatch.bench.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.oracle.Findings;
import io.microbatch.testbed.oracle.Oracle;
import io.microbatch.testbed.oracle.Oracle.Kind;
import io.microbatch.testbed.oracle.Oracle.Violation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExchangeTest {

    private static final ContinuedLevels KEPT = new ContinuedLevels(1, 1, 1, 1, 0);

    private static Exchange exchange(long recoveryMs) {
        return new Exchange(
                "upgrade", 1_000, Map.of("orders", new Exchange.OfStream(recoveryMs, 0, 0, Map.of())), KEPT);
    }

    private static Findings found(long lost, long duplicated) {
        return new Findings(10, lost, 0, duplicated, 0, 0, 0, 0, 0, List.of());
    }

    private static boolean verified(Findings findings, List<Exchange> exchanges) {
        return new UpgradeRun.Result(Map.of("orders", findings), exchanges, List.of()).isVerified();
    }

    @Test
    void countsTheViolationsUntilTheNextExchange() {
        List<Violation> violations = List.of(
                new Violation(Kind.LOST, 999),
                new Violation(Kind.DUPLICATED, 1_000),
                new Violation(Kind.DUPLICATED, 1_999),
                new Violation(Kind.REORDERED, 2_000));
        Exchange counted = exchange(5).with("orders", violations, 2_000).withEvents(Map.of("orders", 77L));
        assertThat(counted.streams().get("orders").toJson())
                .containsEntry("events", 77L)
                .containsEntry("lost", 0L)
                .containsEntry("duplicated", 2L)
                .containsEntry("reordered", 0L);
    }

    @Test
    void isVerifiedOnlyIfEachEventIsThereOnceAndAllRecovered() {
        assertThat(verified(found(0, 0), List.of(exchange(5)))).isTrue();
        assertThat(verified(found(1, 0), List.of(exchange(5)))).isFalse();
        assertThat(verified(found(0, 1), List.of(exchange(5)))).isFalse();
        assertThat(verified(found(0, 0), List.of(exchange(5), exchange(-1)))).isFalse();
        assertThat(verified(found(0, 0), List.of())).isFalse();
        assertThat(verified(new Oracle(1, 0).findings(), List.of(exchange(5)))).isFalse();
    }
}
